import * as v from "valibot"
import { READ_CHUNK_BYTES } from "../limits.ts"

/** Both sides are built together; another version is a broken installation, or not our child at all. */
export const PROTOCOL_VERSION = 1
/** Bytes of one message of bytes. */
export const MAX_MESSAGE_BYTES = READ_CHUNK_BYTES

/** No host may raise its limits over these: they are what one message, one page or one image may ever hold. */
export const MAX_TEXT_CHARACTERS = 4_000_000
/** ISO 32000-2 allows 127 bytes. */
export const MAX_PASSWORD_CHARACTERS = 1_024
const MAX_IMAGE_BYTES = 64 * 1024 * 1024
/** Cells, pictures and lines of a notebook in one message. */
export const MAX_NOTEBOOK_MARKS = 20_000
const MAX_NOTEBOOK_PICTURES = 100
const MAX_PAGE_COUNT = 0x7fff_ffff
const MAX_NOTES = 8
const MAX_NOTE_CHARACTERS = 300

const count = (max: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(max))
const positive = (max: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(max))
const anyCount = count(Number.MAX_SAFE_INTEGER)
const id = anyCount
const envelope = { v: v.literal(PROTOCOL_VERSION), n: anyCount }
const bytes = v.pipe(v.instance(Uint8Array), v.minLength(1), v.maxLength(MAX_MESSAGE_BYTES))
const page = positive(MAX_PAGE_COUNT)
const side = positive(1_000_000)
const mimeType = v.picklist(["image/png", "image/jpeg", "image/webp", "image/gif"])
const notRead = v.picklist(["too-large", "timeout", "encrypted", "no-text", "unsupported", "unavailable"])
const text = (max: number) =>
  v.pipe(
    v.string(),
    v.maxLength(max),
    v.check((value) => !/[\0-\x08\x0b-\x1f\x7f\p{Cs}]/u.test(value), "control characters"),
  )

const pdfJob = v.strictObject({
  kind: v.literal("pdf"),
  pages: v.optional(v.pipe(v.array(page), v.minLength(1), v.maxLength(10_000))),
  password: v.optional(v.pipe(v.string(), v.maxLength(MAX_PASSWORD_CHARACTERS))),
  images: v.boolean(),
  limits: v.strictObject({
    maxPages: positive(10_000),
    maxCharacters: positive(MAX_TEXT_CHARACTERS),
    maxPixels: positive(1e9),
    minPageCharacters: anyCount,
    maxImageBytes: positive(MAX_IMAGE_BYTES),
  }),
})
const docxJob = v.strictObject({
  kind: v.literal("docx"),
  limits: v.strictObject({ maxCharacters: positive(MAX_TEXT_CHARACTERS) }),
})
const imageJob = v.strictObject({
  kind: v.literal("image"),
  mimeType: v.pipe(v.string(), v.maxLength(100)),
  region: v.optional(v.strictObject({ x: anyCount, y: anyCount, width: side, height: side })),
  limits: v.strictObject({
    maxPixels: positive(1e9),
    maxSidePixels: positive(100_000),
    /** Encoded bytes, so that base64 of them fits the limit of the result. */
    maxImageBytes: positive(MAX_IMAGE_BYTES),
  }),
})
/** Lines of a notebook's text, and what a window of them may hold. */
const notebookWindow = v.strictObject({
  fromLine: positive(Number.MAX_SAFE_INTEGER),
  maxLines: count(MAX_NOTEBOOK_MARKS),
  /** UTF-8. */
  maxBytes: positive(MAX_TEXT_CHARACTERS),
})
const notebookJob = v.strictObject({
  kind: v.literal("notebook"),
  /** Whether the pictures within the window are decoded. */
  images: v.boolean(),
  window: notebookWindow,
  limits: v.strictObject({
    maxCharacters: positive(MAX_TEXT_CHARACTERS),
    maxImages: positive(MAX_NOTEBOOK_PICTURES),
    /** Of one picture, before it is decoded. */
    maxSourceBytes: positive(1e9),
    maxSourcePixels: positive(1e9),
    maxSidePixels: positive(100_000),
    /** Shared by the pictures that are shown, as the encoded bytes are. */
    maxPixels: positive(1e9),
    maxImageBytes: positive(MAX_IMAGE_BYTES),
  }),
})
const job = v.variant("kind", [pdfJob, docxJob, imageJob, notebookJob])

const marks = v.pipe(v.array(positive(MAX_PAGE_COUNT)), v.maxLength(MAX_NOTEBOOK_MARKS))
/** The lines that were asked for, and where they stand in the notebook's text. */
const renderedNotebook = v.strictObject({
  cells: count(MAX_PAGE_COUNT),
  /** Of all of its text. */
  totalLines: count(MAX_PAGE_COUNT),
  /** Whole lines from the window's first on: one more than it holds, where there are more. */
  text: text(MAX_TEXT_CHARACTERS),
  /** The first line alone is longer than the characters of a call, and is cut. */
  lineCut: v.boolean(),
  /** Bytes of the text behind `text`, the line end between them included. */
  bytesAfter: anyCount,
  /** The last cell that begins before the window; 0 where none does. */
  firstCell: count(MAX_PAGE_COUNT),
  /** Lines in `text` on which cells begin, ascending. */
  cellLines: marks,
  /** Pictures before the window. */
  imagesBefore: count(MAX_PAGE_COUNT),
  /** Lines in `text` that stand for pictures, ascending. */
  imageLines: marks,
})

const ack = v.strictObject({ ...envelope, type: v.literal("ack"), of: anyCount })

const toChild = v.variant("type", [
  /** The engine's own bytes follow, `size` in all. `practise`: the process stands by and has time to warm it up. */
  v.strictObject({
    ...envelope,
    type: v.literal("engine"),
    practise: v.boolean(),
    engine: v.literal("pdf"),
    size: positive(64 * 1024 * 1024),
  }),
  /** The process stands by for images: it loads their engine and has time to warm it up. */
  v.strictObject({ ...envelope, type: v.literal("standby"), engine: v.literal("image") }),
  /** The document's bytes follow, `size` at most, ended by `end`. The budget is counted from this message. */
  v.strictObject({ ...envelope, type: v.literal("job"), id, job, size: anyCount, budgetMs: anyCount }),
  v.strictObject({ ...envelope, type: v.literal("chunk"), bytes }),
  v.strictObject({ ...envelope, type: v.literal("end") }),
  ack,
])

const toParent = v.variant("type", [
  v.strictObject({ ...envelope, type: v.literal("ready") }),
  /** The engine is compiled, and the watchdog looks. */
  v.strictObject({ ...envelope, type: v.literal("prepared") }),
  ack,
  v.strictObject({ ...envelope, type: v.literal("opened"), id, pageCount: count(MAX_PAGE_COUNT) }),
  v.strictObject({
    ...envelope,
    type: v.literal("page"),
    id,
    page,
    text: text(MAX_TEXT_CHARACTERS),
    textTruncated: v.boolean(),
    /** Too little of what the page shows is in its text. */
    poor: v.optional(v.boolean()),
  }),
  v.strictObject({ ...envelope, type: v.literal("notebook"), id, notebook: renderedNotebook }),
  /** An image's bytes follow, `size` in all. `page` 0: the image of an image job. Of a notebook: the picture's number. */
  v.strictObject({
    ...envelope,
    type: v.literal("image"),
    id,
    page: count(MAX_PAGE_COUNT),
    mimeType,
    width: side,
    height: side,
    size: positive(MAX_IMAGE_BYTES),
  }),
  v.strictObject({ ...envelope, type: v.literal("chunk"), bytes }),
  /** The last message of a job. Once it is acknowledged, the child ends itself. */
  v.strictObject({
    ...envelope,
    type: v.literal("done"),
    id,
    textTruncated: v.boolean(),
    notRead: v.optional(notRead),
    passwordWrong: v.optional(v.boolean()),
    pagesOutOfRange: v.optional(v.boolean()),
    notes: v.optional(v.pipe(v.array(text(MAX_NOTE_CHARACTERS)), v.maxLength(MAX_NOTES))),
    /** Of an image job. */
    original: v.optional(v.strictObject({ width: side, height: side, frames: v.optional(positive(1e9)) })),
    converted: v.optional(v.boolean()),
    message: v.optional(text(MAX_NOTE_CHARACTERS)),
  }),
])

/** What an engine is asked to do. */
export type ExtractorJob = v.InferOutput<typeof job>
export type PdfJob = v.InferOutput<typeof pdfJob>
export type DocxJob = v.InferOutput<typeof docxJob>
export type ImageJob = v.InferOutput<typeof imageJob>
export type NotebookJob = v.InferOutput<typeof notebookJob>
export type NotebookWindow = v.InferOutput<typeof notebookWindow>
export type RenderedNotebook = v.InferOutput<typeof renderedNotebook>
export type ToChild = v.InferOutput<typeof toChild>
export type ToParent = v.InferOutput<typeof toParent>

type Bare<M> = M extends unknown ? Omit<M, "v" | "n"> : never
/** A message before it is numbered. */
export type BareToChild = Bare<ToChild>
export type BareToParent = Bare<ToParent>
/** How a job ended, as the engine says it. */
export type JobOutcome = Omit<Extract<BareToParent, { type: "done" }>, "type" | "id">

/** The message where it is one of those that a child may send and has number `n`; undefined for anything else. */
export function readFromChild(message: unknown, n: number): ToParent | undefined {
  return numbered(v.safeParse(toParent, message), n)
}

/** The message where it is one of those that a parent may send and has number `n`; undefined for anything else. */
export function readFromParent(message: unknown, n: number): ToChild | undefined {
  return numbered(v.safeParse(toChild, message), n)
}

function numbered<M extends { n: number }>(parsed: { success: boolean; output: unknown }, n: number): M | undefined {
  if (!parsed.success) return undefined
  const message = parsed.output as M
  return message.n === n ? message : undefined
}
