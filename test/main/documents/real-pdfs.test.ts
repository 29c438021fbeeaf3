import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { createNodeDocumentExtractor } from "../../../src/main/node.ts"
import { BACKGROUND_CONTEXT, getOrThrow } from "../../../vendor/pi-harness/index.ts"
import { DOCUMENT_PROCESS_ENTRY, readerOf, realPdfFolder } from "../../support/document-extraction.ts"

interface RealPdf {
  file: string
  /** As poppler counts them; null where it could not. */
  pages: number | null
  phrases: string[]
  passwords?: string[]
}

const folder = realPdfFolder()
if (folder === undefined) console.warn("Real PDFs are not read: there is no folder shared/pdf beside the repository")
const files: RealPdf[] = folder === undefined ? [] : JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"))
/** The manifest names it for this file, but poppler does not open it with it either. */
const NOT_A_PASSWORD = { file: "aes-256-r6.pdf", password: "foo" }
/** Without any character that can be told: what is read of them is a picture, or nothing. */
const EMPTY = "empty.pdf"

describe.skipIf(folder === undefined)("a real file", () => {
  const extractor = createNodeDocumentExtractor({
    entry: DOCUMENT_PROCESS_ENTRY,
    limits: { documentDeadlineMs: 60_000 },
  })
  afterAll(() => extractor.close())

  const read = async ({ file }: RealPdf, password?: string) => {
    const reader = readerOf(readFileSync(join(folder ?? "", file)))
    const request = { kind: "pdf", reader, images: true, ...(password === undefined ? {} : { password }) } as const
    return getOrThrow(await extractor.extract(request, BACKGROUND_CONTEXT))
  }

  test("is there for every line of the manifest", () => {
    expect(files.length).toBeGreaterThan(40)
  })

  test.each(files.filter(({ file }) => file !== EMPTY))("$file is read: its pages and its phrases", async (real) => {
    const wrong = real.file === NOT_A_PASSWORD.file ? NOT_A_PASSWORD.password : undefined
    for (const password of real.passwords?.filter((candidate) => candidate !== wrong) ?? [undefined]) {
      const result = await read(real, password)
      expect(result.notRead).toBeUndefined()
      if (real.pages !== null) expect(result.pageCount).toBe(real.pages)
      const text = result.pages
        .map((page) => page.text)
        .join(" ")
        .replace(/\s+/g, " ")
      expect(real.phrases.filter((phrase) => !text.includes(phrase))).toEqual([])
      expect(text.trim() !== "" || result.pages.some(({ image }) => image !== undefined)).toBe(true)
    }
  })

  test.each(files.filter(({ passwords }) => passwords !== undefined))(
    "$file is encrypted without its password",
    async (real) => {
      expect(await read(real)).toMatchObject({ notRead: "encrypted", pages: [] })
      expect(await read(real, "not the one")).toMatchObject({ notRead: "encrypted", passwordWrong: true })
    },
  )

  test("that is empty is unsupported", async () => {
    expect(await read({ file: EMPTY, pages: null, phrases: [] })).toMatchObject({ notRead: "unsupported" })
  })
})
