import { describe, expect, it } from "vitest"
import { guessEncoding } from "../../../src/main/tools/encoding-guess.ts"

/** Bytes in hexadecimal, as iconv made them, and the text that they are. */
const TEXTS: [string, string, string][] = [
  [
    "gb18030",
    "b3ccd0f2d4cbd0d0cab1b3f6cfd6b4edcef3a3acc7ebbcecb2e9c5e4d6c3cec4bcfe0a",
    "程序运行时出现错误，请检查配置文件\n",
  ],
  [
    "shift_jis",
    "89bc96bc82c68abf8e9a82cc82dc82b682c182bd93fa967b8cea82cc95b68fcd82c582b781420a",
    "仮名と漢字のまじった日本語の文章です。\n",
  ],
  ["windows-1252", "44617320497374206a61207363686f6e2067726fdf617274696720756e64207363689a6e0a", ""],
  ["koi8-r", "f0d2c9d7c5d42c20cdc9d22120ebc1cb20c4c5ccc13f20f7d3e520c8cfd2cfdbcf2e0a", ""],
  ["euc-kr", "bec8b3e7c7cfbcbcbfe42c20bcbcb0e821c0cc20b9aec0e5c0ba20c7d1b1b9beeec0d4b4cfb4d92e0a", ""],
]

describe("The likely encoding of a text that is not UTF-8", () => {
  it.each(TEXTS.slice(0, 2))("is %s where it decodes to its text", async (encoding, hex, text) => {
    const head = Buffer.from(hex, "hex")
    expect(await guessEncoding(head)).toBe(encoding)
    expect(new TextDecoder(encoding).decode(head)).toBe(text)
  })

  it("is told by the first lines that are not ASCII, wherever in the head they are", async () => {
    const gbk = Buffer.from((TEXTS[0]?.[1] ?? "").repeat(5), "hex")
    for (const before of [`${"x".repeat(99)}\n`.repeat(70), "x".repeat(7_001)]) {
      expect(await guessEncoding(Buffer.concat([Buffer.from(before), gbk]))).toBe("gb18030")
    }
  })

  it.each(TEXTS.slice(2))("is a name that `encoding` takes: %s", async (_, hex) => {
    const name = await guessEncoding(Buffer.from(hex, "hex"))
    expect(new TextDecoder(name).encoding).toBe(name)
    expect(name).not.toBe("utf-8")
  })

  it.each<[string, Uint8Array]>([
    ["nothing", Buffer.from("")],
    ["ASCII", Buffer.from("plain text\n")],
    ["UTF-8", Buffer.from("程序 ç 😀")],
    ["UTF-8 cut within a character", Buffer.from("aç").subarray(0, 2)],
    ["UTF-8 of which only the first 8 KiB are", Buffer.concat([Buffer.alloc(8_192, "a"), Buffer.of(0xb3, 0xcc)])],
  ])("is not guessed for %s", async (_, head) => {
    expect(await guessEncoding(head)).toBeUndefined()
  })

  it("is a name that `encoding` takes, or none, whatever the bytes", async () => {
    for (let seed = 1; seed < 200; seed++) {
      const bytes = Uint8Array.from({ length: seed * 7 }, (_, i) => ((i * seed * 2_654_435_761) >>> 13) & 0xff)
      const name = await guessEncoding(bytes)
      if (name !== undefined) expect(new TextDecoder(name).encoding).toBe(name)
      else expect(name).toBeUndefined()
    }
  })
})
