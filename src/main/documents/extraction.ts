import {
  type Context,
  err,
  type FileByteReader,
  type FileError,
  ok,
  type Result,
} from "../../../vendor/pi-harness/index.ts"
import type { DocumentImage, DocumentPage } from "./document-extractor.ts"
import {
  type ExtractorJob,
  type JobOutcome,
  MAX_MESSAGE_BYTES,
  type NotebookJob,
  type RenderedNotebook,
} from "./extractor-protocol.ts"
import type { ProcessConversation } from "./process-conversation.ts"

/** The bounds of what one job may bring home; past them the child is hostile. */
export interface ExtractionBounds {
  maxDocumentBytes: number
  maxPages: number
  maxCharacters: number
  /** Of one image, encoded. */
  maxImageBytes: number
}

/** What a job has brought home so far. It stays good when the process is ended in the middle. */
export interface ExtractionHarvest {
  pageCount?: number
  /** By page number, ascending. */
  pages: Map<number, DocumentPage>
  /** Of an image job. */
  image?: DocumentImage
  /** Of a notebook job. */
  notebook?: RenderedNotebook
  /** Of a notebook job, by number in the notebook, ascending. */
  pictures: Map<number, DocumentImage>
  characters: number
  readError?: FileError
}

export function emptyHarvest(): ExtractionHarvest {
  return { pages: new Map(), pictures: new Map(), characters: 0 }
}

/**
 * Waits until the process can take a document: one with `engine` holds those bytes, any that `standsBy` has its engine
 * ready, and goes on to warm it up.
 */
export async function prepareProcess(
  conversation: ProcessConversation,
  engine: Uint8Array | undefined,
  standsBy: boolean,
): Promise<void> {
  await conversation.next("ready")
  if (engine !== undefined) {
    conversation.post({ type: "engine", engine: "pdf", size: engine.byteLength, practise: standsBy })
    await conversation.postAllBytes(engine)
  } else if (standsBy) {
    conversation.post({ type: "standby", engine: "image" })
  } else {
    return
  }
  await conversation.next("prepared")
}

/**
 * Runs one job in a prepared process and fills `harvest` as results come. Throws `ConversationEnded` where the process
 * came to an end before; an error of the reader is left in the harvest.
 */
export async function runJob(
  conversation: ProcessConversation,
  job: ExtractorJob,
  reader: FileByteReader,
  budgetMs: number,
  bounds: ExtractionBounds,
  harvest: ExtractionHarvest,
  context: Context,
): Promise<JobOutcome | undefined> {
  const id = 1
  const size = reader.info.size > 0 ? Math.min(reader.info.size, bounds.maxDocumentBytes) : bounds.maxDocumentBytes
  conversation.post({ type: "job", id, job, size, budgetMs })
  const sent = await sendDocument(conversation, reader, size, context)
  if (!sent.ok) {
    harvest.readError = sent.error
    return undefined
  }
  conversation.post({ type: "end" })
  for (;;) {
    const message = await conversation.next("opened", "page", "notebook", "image", "done")
    if (message.id !== id) conversation.breach("hostile")
    if (message.type === "done") {
      const { v: _v, n, type: _type, id: _id, ...outcome } = message
      conversation.post({ type: "ack", of: n })
      return outcome
    }
    if (message.type === "opened") {
      if (harvest.pageCount !== undefined) conversation.breach("hostile")
      harvest.pageCount = message.pageCount
    } else if (message.type === "page") {
      keepPage(conversation, job, bounds, harvest, message)
    } else if (message.type === "notebook") {
      keepNotebook(conversation, job, harvest, message.notebook)
    } else if (job.kind === "notebook") {
      await keepPicture(conversation, job, bounds, harvest, message)
    } else {
      await keepImage(conversation, job, bounds, harvest, message)
    }
  }
}

async function sendDocument(
  conversation: ProcessConversation,
  reader: FileByteReader,
  size: number,
  context: Context,
): Promise<Result<void, FileError>> {
  const buffer = new Uint8Array(MAX_MESSAGE_BYTES)
  for (let position = 0; position < size; ) {
    const read = await reader.read(position, Math.min(MAX_MESSAGE_BYTES, size - position), context, buffer)
    if (!read.ok) return err(read.error)
    if (read.value.byteLength === 0) break
    await conversation.postBytes(read.value)
    position += read.value.byteLength
  }
  return ok(undefined)
}

function keepPage(
  conversation: ProcessConversation,
  job: ExtractorJob,
  bounds: ExtractionBounds,
  harvest: ExtractionHarvest,
  {
    page,
    text,
    textTruncated,
    poor,
  }: { page: number; text: string; textTruncated: boolean; poor?: boolean | undefined },
): void {
  const last = Math.max(0, ...harvest.pages.keys())
  const asked = job.kind === "docx" || (job.kind === "pdf" && (job.pages === undefined || job.pages.includes(page)))
  if (!asked || page <= last || page > (harvest.pageCount ?? 0)) conversation.breach("hostile")
  harvest.characters += text.length
  if (harvest.characters > bounds.maxCharacters || harvest.pages.size >= bounds.maxPages) {
    conversation.breach("oversized")
  }
  harvest.pages.set(page, {
    page,
    text,
    ...(textTruncated ? { textTruncated } : {}),
    ...(poor ? { poorInText: true } : {}),
  })
}

function keepNotebook(
  conversation: ProcessConversation,
  job: ExtractorJob,
  harvest: ExtractionHarvest,
  notebook: RenderedNotebook,
): void {
  if (job.kind !== "notebook" || harvest.notebook !== undefined) conversation.breach("hostile")
  if (notebook.text.length > job.limits.maxCharacters) conversation.breach("oversized")
  harvest.notebook = notebook
}

async function keepPicture(
  conversation: ProcessConversation,
  job: NotebookJob,
  bounds: ExtractionBounds,
  harvest: ExtractionHarvest,
  head: ImageHead,
): Promise<void> {
  const { notebook, pictures } = harvest
  const { imagesBefore = 0, imageLines = [] } = notebook ?? {}
  const last = Math.max(imagesBefore, ...pictures.keys())
  const expected = job.images && head.page > last && head.page <= imagesBefore + imageLines.length
  if (!expected || pictures.size >= job.limits.maxImages) conversation.breach("hostile")
  if (head.size > bounds.maxImageBytes) conversation.breach("oversized")
  const { mimeType, width, height } = head
  pictures.set(head.page, { data: await conversation.receiveBytes(head.size), mimeType, width, height })
}

interface ImageHead {
  page: number
  mimeType: DocumentImage["mimeType"]
  width: number
  height: number
  size: number
}

async function keepImage(
  conversation: ProcessConversation,
  job: Exclude<ExtractorJob, NotebookJob>,
  bounds: ExtractionBounds,
  harvest: ExtractionHarvest,
  head: ImageHead,
): Promise<void> {
  const of = harvest.pages.get(head.page)
  const expected =
    job.kind === "image" ? head.page === 0 && !harvest.image : job.kind === "pdf" && job.images && of && !of.image
  if (!expected) conversation.breach("hostile")
  if (head.size > bounds.maxImageBytes) conversation.breach("oversized")
  const data = await conversation.receiveBytes(head.size)
  const image: DocumentImage = { data, mimeType: head.mimeType, width: head.width, height: head.height }
  if (of === undefined) harvest.image = image
  else harvest.pages.set(head.page, { ...of, image })
}
