import { type ChildProcess, fork } from "node:child_process"
import sharp from "sharp"
import { expect, test } from "vitest"
import { createImageEngine } from "../../../../src/main/documents/engines/image.ts"
import { practiseImages } from "../../../../src/main/documents/engines/image-practice.ts"
import type { ImageJob } from "../../../../src/main/documents/extractor-protocol.ts"
import { createNodeDocumentExtractor } from "../../../../src/main/node.ts"
import { BACKGROUND_CONTEXT, getOrThrow } from "../../../../vendor/pi-harness/index.ts"
import { buildJpeg } from "../../../support/build-jpeg.ts"
import { decodeImage } from "../../../support/decode-image.ts"
import { DOCUMENT_PROCESS_ENTRY, isRunning, readerOf, until } from "../../../support/document-extraction.ts"

const engine = await createImageEngine()

async function convert(job: ImageJob, bytes: Uint8Array) {
  const session = engine.begin(job, bytes.byteLength)
  session.write(bytes)
  let shown = ""
  const outcome = await session.finish({
    opened: async () => undefined,
    page: async () => undefined,
    image: async (_page, { mimeType }) => {
      shown = mimeType
    },
    remainingMs: () => 60_000,
  })
  return { ...outcome, shown }
}

test("what a process practises on is a photograph and a screenshot that convert like any other", async () => {
  const outcomes: unknown[] = []
  let asked = 0
  await practiseImages(
    sharp,
    async (job, bytes) => outcomes.push(await convert(job, bytes)),
    () => ++asked <= 4,
  )
  expect(outcomes).toEqual([
    expect.objectContaining({ converted: true, shown: "image/jpeg" }),
    expect.objectContaining({ converted: true, shown: "image/png" }),
  ])
  expect(asked).toBe(4)
})

test("a job ends the practice before its next step", async () => {
  let [asked, converted] = [0, 0]
  await practiseImages(
    sharp,
    async () => ++converted,
    () => ++asked <= 2,
  )
  expect([asked, converted]).toEqual([3, 1])
})

test("an engine practises for as long as it may", async () => {
  let asked = 0
  await engine.practise?.(() => ++asked < 2)
  expect(asked).toBe(2)
})

test("an engine without sharp has nothing to practise", async () => {
  const broken = await createImageEngine(() => Promise.reject(new Error("gone")))
  let asked = 0
  await broken.practise?.(() => ++asked < 2)
  expect(asked).toBe(0)
})

test("an image leaves a process that stands by for the next one, which takes it before it is ready and after", async () => {
  const photo = buildJpeg({ width: 2_400, height: 16, colour: (x, y) => [x & 255, y * 9, 77] })
  const forked: { child: ChildProcess; prepared: boolean }[] = []
  const extractor = createNodeDocumentExtractor({
    entry: DOCUMENT_PROCESS_ENTRY,
    limits: { documentDeadlineMs: 60_000 },
    fork: (entry, args, options) => {
      const process = { child: fork(entry, args, options), prepared: false }
      process.child.on("message", (message) => {
        if ((message as { type: string }).type === "prepared") process.prepared = true
      })
      forked.push(process)
      return process.child
    },
  })
  for (let round = 0; round < 3; round++) {
    if (round === 2) await until(() => forked[2]?.prepared === true)
    const request = { reader: readerOf(photo), mimeType: "image/jpeg" }
    const call = extractor.convertImage?.(request, BACKGROUND_CONTEXT)
    const result = getOrThrow(await (call ?? Promise.reject(new Error("It converts no images"))))
    expect(result).toMatchObject({ originalWidth: 2_400, originalHeight: 16, converted: true })
    const { data = new Uint8Array(), mimeType = "image/png" } = result.image ?? {}
    expect((await decodeImage(Buffer.from(data), mimeType)).width).toBe(2_000)
    // The one that worked is gone, and the next stands by.
    await until(() => forked.length > round + 1 && !isRunning(forked[round]?.child.pid ?? 0))
    expect(forked).toHaveLength(round + 2)
  }
  await extractor.close()
  expect(forked.filter(({ child }) => isRunning(child.pid ?? 0))).toEqual([])
})
