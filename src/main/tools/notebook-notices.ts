import { formatSize } from "../../../vendor/pi-harness/index.ts"
import type { NotReadReason } from "../documents/document-extractor.ts"
import { MAX_NOTEBOOK_IMAGES } from "../limits.ts"
import { formatPageRanges } from "./page-ranges.ts"

/** What the model reads is not the file's own text; how to have that, for an edit of it. */
export function shownAsCells(bytes: number, cells: number): string {
  const count = cells === 1 ? "1 cell" : `${cells} cells`
  return `[Notebook (${formatSize(bytes)}, ${count}), shown as cells. Use encoding="utf-8" to read its JSON.]`
}

export function notebookLineCut(line: number, characters: number): string {
  return `[Line ${line} is cut at ${characters} characters. Use encoding="utf-8" to read the JSON that holds it.]`
}

/** A picture by its number, and the line that stands for it. */
export interface StandingPicture {
  number: number
  line: number
}

export interface PictureSituation {
  /** Numbers of those that follow the text. */
  shown: readonly number[]
  acceptsImages: boolean
  /** Why the read came to an end before all of them were decoded. */
  notRead: NotReadReason | undefined
  /** In words, where the extractor has some. */
  message: string | undefined
}

/** Which of the pictures in the window follow, and why the others do not. */
export function pictureNotices(standing: readonly StandingPicture[], situation: PictureSituation): string[] {
  const { shown, acceptsImages, notRead, message } = situation
  if (standing.length === 0) return []
  if (!acceptsImages) return [notShown(standing, "this model takes no images")]
  const tried = standing.slice(0, MAX_NOTEBOOK_IMAGES)
  const [later] = standing.slice(MAX_NOTEBOOK_IMAGES)
  const last = notRead === undefined ? Number.POSITIVE_INFINITY : (shown.at(-1) ?? 0)
  const missing = tried.filter(({ number }) => !shown.includes(number))
  const damaged = missing.filter(({ number }) => number < last)
  const unread = missing.filter(({ number }) => number > last)
  return [
    ...(shown.length === 0 ? [] : [follow(shown)]),
    ...(damaged.length === 0 ? [] : [notShown(damaged, "damaged, or of a kind that is not shown")]),
    ...(unread.length === 0 ? [] : [notShown(unread, message ?? UNREAD_WORDS[notRead ?? "unsupported"])]),
    ...(later === undefined
      ? []
      : [
          notShown(
            standing.slice(MAX_NOTEBOOK_IMAGES),
            `one call shows ${MAX_NOTEBOOK_IMAGES}`,
            ` Use offset=${later.line} to see more.`,
          ),
        ]),
  ]
}

const UNREAD_WORDS: Readonly<Record<NotReadReason, string>> = Object.freeze({
  "too-large": "the next one needs more memory than an image may have",
  timeout: "decoding them took too long",
  encrypted: "the image reader ended",
  "no-text": "the image reader ended",
  unsupported: "the image reader ended",
  unavailable: "the image reader ended",
})

function follow(shown: readonly number[]): string {
  return shown.length === 1
    ? `[Image ${shown[0]} follows.]`
    : `[Images ${formatPageRanges(shown)} follow, in this order.]`
}

function notShown(pictures: readonly StandingPicture[], why: string, next = ""): string {
  const numbers = formatPageRanges(pictures.map(({ number }) => number))
  return `[${pictures.length === 1 ? `Image ${numbers} is` : `Images ${numbers} are`} not shown: ${why}.${next}]`
}
