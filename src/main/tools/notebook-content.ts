import { type Context, err, type FileByteReader, ok, type Result } from "../../../vendor/pi-harness/index.ts"
import type { DocumentExtractor, NotebookResult, NotebookText } from "../documents/document-extractor.ts"
import { abortedError } from "../fs/file-error.ts"
import type { Limits } from "../limits.ts"
import { windowOfText } from "./document-window.ts"
import { type WindowText, wordWindow } from "./document-window-text.ts"
import { imageBlocks } from "./image-block.ts"
import { wasChanged } from "./image-file.ts"
import { notebookLineCut, pictureNotices, type StandingPicture, shownAsCells } from "./notebook-notices.ts"
import { beyondEnd, FILE_CHANGED } from "./notices.ts"
import type { NotebookFacts, ReadResult } from "./read-result.ts"

/** No writer of notebooks puts any. */
const MAX_BLANKS_BEFORE_BYTES = 1_024

/** Whether a file may be a notebook: by its name, and by a head that begins a JSON object. What it is, its JSON says. */
export function mayBeNotebook(path: string, head: Uint8Array): boolean {
  const start = Buffer.from(head.subarray(0, MAX_BLANKS_BEFORE_BYTES)).toString("latin1")
  return /\.ipynb$/i.test(path) && /^(?:\xef\xbb\xbf)?[\t\n\r ]*\{/.test(start)
}

export interface ReadNotebookRequest {
  /** Left open: closing is the caller's. */
  reader: FileByteReader
  readNotebook: NonNullable<DocumentExtractor["readNotebook"]>
  /** 1 or more, in lines of the text of all cells. */
  offset: number
  limit?: number | undefined
  column?: number | undefined
  /** False: pictures are named and not shown. Default true. */
  acceptsImages?: boolean | undefined
  limits: Limits
  /** What the path is called in notices. */
  path: string
}

/**
 * The notebook route: a window of its cells with the pictures that stand in it. `undefined` where the file is no
 * notebook, or cannot be read as one: it is the text that it is.
 */
export async function readNotebook(
  request: ReadNotebookRequest,
  context: Context,
): Promise<Result<ReadResult | undefined, Error>> {
  const { reader, offset, limit, column, acceptsImages = true, limits } = request
  const asked = limit === undefined || column !== undefined ? limits.maxLines : Math.min(limit, limits.maxLines)
  const read = await request.readNotebook(
    {
      reader,
      window: { fromLine: offset, maxLines: column === undefined ? asked : 1, maxBytes: limits.maxBytes },
      images: acceptsImages && column === undefined,
    },
    context,
  )
  if (!read.ok) return read.error.code === "aborted" ? err(abortedError(reader.info.path)) : ok(undefined)
  const { notebook } = read.value
  if (notebook === undefined) return ok(undefined)
  const shown = await showNotebook(request, notebook, read.value, await wasChanged(reader, context))
  return context.abortSignal?.aborted ? err(abortedError(reader.info.path)) : shown
}

async function showNotebook(
  request: ReadNotebookRequest,
  notebook: NotebookText,
  result: NotebookResult,
  changed: boolean,
): Promise<Result<ReadResult, Error>> {
  const { reader, offset, column, acceptsImages = true, limits } = request
  const { path, size } = reader.info
  const worded = wordedWindow(request, notebook)
  if (!worded.ok) return worded
  const { content, notice, next, lines, truncation } = worded.value
  const lastLine = lines.lines === undefined ? offset - 1 : Number(lines.lines.replace(/^.*-/, ""))
  const standing = column === undefined ? picturesWithin(notebook, lastLine) : []
  const shown = acceptsImages ? standing.flatMap(({ number }) => shownPicture(number, result, limits)) : []
  const texts = [
    content,
    notice,
    notebook.lineCut ? notebookLineCut(offset, notebook.text.length) : undefined,
    ...pictureNotices(standing, {
      shown: shown.map(({ number }) => number),
      acceptsImages,
      notRead: result.notRead,
      message: result.message,
    }),
    changed ? FILE_CHANGED : undefined,
    shownAsCells(size, notebook.cells),
  ].filter((text) => text !== undefined && text !== "")
  const facts = factsOf(notebook, offset, lastLine)
  return ok({
    content: [{ type: "text", text: texts.join("\n\n") }, ...(await imageBlocks(shown.map(({ image }) => image)))],
    details: { ...(truncation?.truncated ? { truncation } : {}), notebook: facts },
    receipt: {
      kind: "notebook",
      path,
      bytes: size,
      mimeType: "application/x-ipynb+json",
      ...lines,
      ...next,
      ...(changed ? { changed: true } : {}),
      notebook: facts,
    },
  })
}

/** The window of `text`, whose first line is line `offset` of the notebook, in words for the notebook. */
function wordedWindow(request: ReadNotebookRequest, notebook: NotebookText): Result<WindowText, Error> {
  const { offset, limit, column, limits, path } = request
  const { text, totalLines, bytesAfter } = notebook
  if (offset > totalLines) {
    return totalLines === 0 && offset === 1
      ? ok({ content: "", lines: { totalLines } })
      : err(new Error(beyondEnd(offset, totalLines)))
  }
  const { maxLines, maxBytes } = limits
  const window = windowOfText(text, { offset: 1, limit, column, maxLines, maxBytes })
  const before = offset - 1
  if ("line" in window) window.line += before
  if ("firstLine" in window) {
    window.firstLine += before
    window.lastLine += before
  }
  if ("totalLines" in window) window.totalLines = totalLines
  if ("truncation" in window && limit === undefined) {
    const { truncation } = window
    const totalBytes = truncation.totalBytes + bytesAfter
    window.truncation = { ...truncation, totalLines: totalLines - before, totalBytes }
  }
  return wordWindow(window, request, { path, shell: false, maxBytes })
}

function picturesWithin({ imageLines, imagesBefore }: NotebookText, lastLine: number): StandingPicture[] {
  const all = imageLines.map((line, index) => ({ number: imagesBefore + 1 + index, line }))
  return all.filter(({ line }) => line <= lastLine)
}

/** The picture that was decoded, where it is within the limits: the extractor's answer is held to them. */
function shownPicture(number: number, { images }: NotebookResult, limits: Limits) {
  const image = images.get(number)
  const within =
    image !== undefined &&
    4 * Math.ceil(image.data.byteLength / 3) <= limits.maxImageBase64Bytes &&
    Math.max(image.width, image.height) <= limits.maxImageSidePixels
  return within ? [{ number, image }] : []
}

function factsOf({ cells, firstCell, cellLines }: NotebookText, offset: number, lastLine: number): NotebookFacts {
  const begun = cellLines.filter((line) => line <= lastLine).length
  const first = cellLines[0] === offset ? firstCell + 1 : firstCell
  const last = firstCell + begun
  return { cells, ...(lastLine < offset ? {} : { cellsRead: first === last ? `${first}` : `${first}-${last}` }) }
}
