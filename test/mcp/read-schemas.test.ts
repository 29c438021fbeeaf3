import { describe, expect, test } from "vitest"
import type { NotReadReason } from "../../src/main/documents/document-extractor.ts"
import type { DocumentFacts, ImageFacts, NotebookFacts, ReadReceipt } from "../../src/main/tools/read-result.ts"
import { INPUT_SCHEMA, OUTPUT_SCHEMA } from "../../src/mcp/read-schemas.ts"
import { receiptCheck } from "../support/mcp-server.ts"

type Optional<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T]
/** Every fact of a type, `always` or only at times: a fact that is added and not named here does not compile. */
type Facts<T> = { [K in keyof T]-?: K extends Optional<T> ? "sometimes" : "always" }

const RECEIPT: Facts<ReadReceipt> = {
  kind: "always",
  path: "always",
  bytes: "always",
  mimeType: "sometimes",
  encoding: "sometimes",
  lines: "sometimes",
  totalLines: "sometimes",
  nextOffset: "sometimes",
  nextColumn: "sometimes",
  changed: "sometimes",
  document: "sometimes",
  image: "sometimes",
  notebook: "sometimes",
}
const DOCUMENT: Facts<DocumentFacts> = {
  kind: "always",
  read: "always",
  bytes: "always",
  pageCount: "sometimes",
  pagesRead: "sometimes",
  textTruncated: "always",
  notRead: "sometimes",
}
const IMAGE: Facts<ImageFacts> = {
  mimeType: "always",
  width: "always",
  height: "always",
  originalWidth: "always",
  originalHeight: "always",
  frames: "sometimes",
  converted: "always",
}
const NOTEBOOK: Facts<NotebookFacts> = { cells: "always", cellsRead: "sometimes" }

describe("the output schema", () => {
  const { properties } = OUTPUT_SCHEMA

  test.each([
    { what: "a receipt", schema: OUTPUT_SCHEMA, facts: RECEIPT },
    { what: "a document", schema: properties.document, facts: DOCUMENT },
    { what: "an image", schema: properties.image, facts: IMAGE },
    { what: "a notebook", schema: properties.notebook, facts: NOTEBOOK },
  ])("names every fact of $what, and asks for those that are always there", ({ schema, facts }) => {
    expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(facts).sort())
    const always = Object.entries(facts).flatMap(([name, when]) => (when === "always" ? [name] : []))
    expect([...schema.required].sort()).toEqual(always.sort())
  })

  test("names every kind, and every reason why a document was not read", () => {
    const kinds: Record<ReadReceipt["kind"], true> = {
      text: true,
      image: true,
      document: true,
      notebook: true,
      binary: true,
      "utf-16": true,
      "utf-32": true,
      empty: true,
    }
    const reasons: Record<NotReadReason, true> = {
      "too-large": true,
      timeout: true,
      encrypted: true,
      "no-text": true,
      unsupported: true,
      unavailable: true,
    }
    const documents: Record<DocumentFacts["kind"], true> = { pdf: true, docx: true }
    expect([...properties.kind.enum].sort()).toEqual(Object.keys(kinds).sort())
    expect([...properties.document.properties.notRead.enum].sort()).toEqual(Object.keys(reasons).sort())
    expect([...properties.document.properties.kind.enum].sort()).toEqual(Object.keys(documents).sort())
  })

  // The tests of the server hold every result to it; here it is shown that it holds something.
  const receipt = { kind: "text", path: "/a", bytes: 1 }

  test.each([
    ["no kind", { path: "/a", bytes: 1 }],
    ["an unknown kind", { ...receipt, kind: "music" }],
    ["half a byte", { ...receipt, bytes: 0.5 }],
    ["a fact that it does not name", { ...receipt, colour: "red" }],
    ["a document without its kind", { ...receipt, document: { read: true, bytes: 1, textTruncated: false } }],
    ["an image with a word for its width", { ...receipt, image: { width: "wide" } }],
  ])("refuses a receipt with %s", (_, broken) => {
    const check = receiptCheck(OUTPUT_SCHEMA)
    expect(() => check(receipt)).not.toThrow()
    expect(() => check(broken)).toThrow(/Not a receipt/)
  })
})

test("the input schema is an object's, as the protocol wants it", () => {
  expect(INPUT_SCHEMA).toMatchObject({ type: "object", required: ["path"], properties: { path: { type: "string" } } })
})
