import { describe, expect, it } from "vitest"
import { ArchiveError, ZipArchive } from "../../../../src/main/documents/engines/zip-archive.ts"
import { buildZip, zipOf } from "../../../support/build-zip.ts"

const read = async (archive: Uint8Array, name: string, maxBytes = 1_000) => {
  const { bytes, whole } = await new ZipArchive(archive).read(name, maxBytes)
  return { text: Buffer.from(bytes).toString(), whole }
}

async function reasonOf(archive: Uint8Array, name = "a"): Promise<string | undefined> {
  try {
    await read(archive, name)
    return undefined
  } catch (thrown) {
    return thrown instanceof ArchiveError ? thrown.notRead : String(thrown)
  }
}

/** The same archive with its sizes and offsets in ZIP64 fields: of its one entry, and of its directory. */
function asZip64(zip: Buffer): Buffer {
  const at = zip.indexOf("PK\x01\x02", 0, "latin1")
  const entry = Buffer.from(zip.subarray(at, zip.length - 22))
  const [packed, plain] = [entry.readUInt32LE(20), entry.readUInt32LE(24)]
  const extra = Buffer.alloc(28)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(24, 2)
  extra.writeBigUInt64LE(BigInt(plain), 4)
  extra.writeBigUInt64LE(BigInt(packed), 12)
  entry.fill(0xff, 20, 28)
  entry.fill(0xff, 42, 46)
  entry.writeUInt16LE(extra.length, 30)
  const directory = Buffer.concat([entry, extra])
  const record = Buffer.alloc(56)
  record.write("PK\x06\x06", "latin1")
  record.writeBigUInt64LE(BigInt(directory.length), 40)
  record.writeBigUInt64LE(BigInt(at), 48)
  const locator = Buffer.alloc(20)
  locator.write("PK\x06\x07", "latin1")
  locator.writeBigUInt64LE(BigInt(at + directory.length), 8)
  const end = Buffer.from(zip.subarray(-22)).fill(0xff, 8, 20)
  return Buffer.concat([zip.subarray(0, at), directory, record, locator, end])
}

const plain = buildZip({ name: "a", content: "some words" })

describe("A ZIP archive", () => {
  it.each([
    ["deflated", plain],
    ["stored", buildZip({ name: "a", content: "some words", deflated: false })],
    ["streamed, its sizes behind the content", buildZip({ name: "a", content: "some words", streamed: true })],
    ["with sizes that lie", buildZip({ name: "a", content: "some words", claimedContentSize: 1, claimedSize: 3 })],
    ["with its sizes in ZIP64 fields", asZip64(plain)],
    ["with something before it", Buffer.concat([Buffer.from("#!/bin/sh\n"), plain])],
    ["with something after it", Buffer.concat([plain, Buffer.from("and a comment")])],
    ["with backslashes in names", buildZip({ name: "\\a", content: "some words" })],
  ])("is read: %s", async (_title, archive) => {
    expect(await read(archive, "a")).toEqual({ text: "some words", whole: true })
  })

  it.each([true, false])("gives no more than is asked for, deflated: %s", async (deflated) => {
    const archive = buildZip({ name: "a", content: "x".repeat(500_000), deflated })
    expect(await read(archive, "a", 10)).toEqual({ text: "x".repeat(10), whole: false })
    expect((await read(archive, "a", 500_000)).whole).toBe(true)
  })

  it.each([
    ["nothing", Buffer.alloc(0), "unsupported"],
    ["no directory", plain.subarray(0, 40), "unsupported"],
    ["an empty directory", zipOf([]), "unsupported"],
    ["a directory beyond the end", Buffer.from(plain).fill(0xff, plain.length - 10, plain.length - 2), "unsupported"],
    ["another method", buildZip({ name: "a", method: 14 }), "unsupported"],
    ["an encrypted entry", buildZip({ name: "a", flags: 1 }), "encrypted"],
    ["compressed data that end in the middle", buildZip({ name: "a", packed: Buffer.from([0x4b]) }), "unsupported"],
    ["10,001 entries", zipOf(Array.from({ length: 10_001 }, (_, i) => ({ name: `${i}` }))), "too-large"],
    ["no such entry", buildZip({ name: "b" }), "unsupported"],
  ])("is refused with %s", async (_title, archive, reason) => {
    expect(await reasonOf(archive)).toBe(reason)
  })

  it("answers with a reason or with bytes whatever byte of it is changed", async () => {
    for (let at = 0; at < plain.length; at++) {
      for (const value of [0, 0x7f, 0xff]) {
        const changed = Buffer.from(plain)
        changed[at] = value
        expect([undefined, "unsupported", "encrypted", "too-large"]).toContain(await reasonOf(changed))
      }
    }
  })
})
