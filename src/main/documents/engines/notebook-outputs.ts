import { MAX_NOTEBOOK_OUTPUT_CHARACTERS } from "../../limits.ts"
import { sniffImage } from "../image-signature.ts"
import { isRecord, joinedText, nameOf } from "./notebook-json.ts"
import { cleanOutput, startOf } from "./notebook-text.ts"

/** What a cell is shown as, in order: whole lines, or the place of a picture with its base64 as the notebook holds it. */
export type CellBlock = { kind: "text"; text: string } | { kind: "image"; label: string; data: string }

/** The forms of an output that are shown as text, the first that is there. HTML repeats plain text with more words. */
const TEXT_TYPES = ["text/plain", "text/markdown", "text/latex", "text/html"] as const
/** The forms of a picture, the first that is there: several in one output are the same picture. */
const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const

/** What a cell put out, each under a heading of its own: `# cell 3 output 1 [stdout]`. */
export function* outputBlocks(outputs: readonly unknown[], cell: number): Generator<CellBlock> {
  let number = 0
  for (let at = 0; at < outputs.length; at++) {
    const output = outputs[at]
    number += 1
    const heading = `# cell ${cell} output ${number}`
    if (!isRecord(output)) {
      yield { kind: "text", text: `${heading} [damaged]` }
    } else if (output.output_type === "stream") {
      // Written to one stream in several pieces, it is one output all the same.
      const name = streamName(output)
      const pieces = [joinedText(output.text) ?? ""]
      for (let next = outputs[at + 1]; isStream(next, name); next = outputs[at + 1]) {
        pieces.push(joinedText(next.text) ?? "")
        at += 1
      }
      yield* textBlocks(`${heading} [${name}]`, pieces.join(""))
    } else if (output.output_type === "error" || output.output_type === "pyerr") {
      yield* textBlocks(`${heading} [error]`, errorText(output))
    } else {
      yield* displayBlocks(heading, output)
    }
  }
}

function* textBlocks(heading: string, text: string): Generator<CellBlock> {
  const clean = cleanOutput(text)
  yield { kind: "text", text: clean === "" ? heading : `${heading}\n${bounded(clean)}` }
}

/** Results and displays; format 3 has their forms beside the type, under short names. */
function* displayBlocks(heading: string, output: Record<string, unknown>): Generator<CellBlock> {
  const kind = RESULT_NAMES.get(output.output_type) ?? nameOf(output.output_type)
  const forms = isRecord(output.data) ? output.data : formsOfFormat3(output)
  const type = TEXT_TYPES.find((candidate) => joinedText(forms[candidate]) !== undefined)
  const picture = pictureBlock(forms)
  if (type !== undefined) {
    const form = type === "text/plain" ? "" : ` ${type}`
    yield* textBlocks(`${heading} [${kind}${form}]`, joinedText(forms[type]) ?? "")
  } else if (picture !== undefined) {
    yield { kind: "text", text: `${heading} [${kind}]` }
  } else {
    const named = Object.keys(forms).slice(0, MAX_FORMS_NAMED).map(nameOf).join(", ")
    yield { kind: "text", text: `${heading} [${kind}]${named === "" ? "" : `\n[Not shown: ${named}]`}` }
  }
  if (picture !== undefined) yield picture
}

/** The picture among the forms of something, where there is one. */
export function pictureBlock(forms: Record<string, unknown>): CellBlock | undefined {
  const data = IMAGE_TYPES.map((type) => joinedText(forms[type])).find((image) => image !== undefined)
  return data === undefined ? undefined : { kind: "image", label: pictureLabel(data), data }
}

/** Base64 characters that a picture is named by: they hold every header but those of photographs with a preview. */
const LABEL_CHARACTERS = 8_192

/** As its first bytes say: `PNG, 640 x 480 pixels`. */
function pictureLabel(data: string): string {
  const signature = sniffImage(Buffer.from(data.slice(0, LABEL_CHARACTERS), "base64"))
  if (signature === undefined) return "no known format"
  const { format, width, height } = signature
  return `${format.toUpperCase()}${width === undefined ? "" : `, ${width} x ${height} pixels`}`
}

const MAX_FORMS_NAMED = 5

const RESULT_NAMES: ReadonlyMap<unknown, string> = new Map([
  ["execute_result", "result"],
  ["pyout", "result"],
  ["display_data", "display"],
  ["update_display_data", "display"],
])

function formsOfFormat3({ text, html, latex, png, jpeg }: Record<string, unknown>): Record<string, unknown> {
  const forms = { "text/plain": text, "text/html": html, "text/latex": latex, "image/png": png, "image/jpeg": jpeg }
  return Object.fromEntries(Object.entries(forms).filter(([, form]) => form !== undefined))
}

/** The message first: of a traceback that is cut it would be the part that is missing. */
function errorText({ ename, evalue, traceback }: Record<string, unknown>): string {
  const message = [joinedText(ename), joinedText(evalue)].filter((part) => part !== undefined && part !== "").join(": ")
  const lines = Array.isArray(traceback) ? traceback.filter((line) => typeof line === "string").join("\n") : ""
  return lines === "" ? message : `${message}\n${lines}`
}

function isStream(output: unknown, name: string): output is Record<string, unknown> {
  return isRecord(output) && output.output_type === "stream" && streamName(output) === name
}

/** Format 3 has the name in `stream`. */
function streamName({ name, stream }: Record<string, unknown>): string {
  return nameOf(name ?? stream)
}

function bounded(text: string): string {
  const max = MAX_NOTEBOOK_OUTPUT_CHARACTERS
  return text.length <= max ? text : `${startOf(text, max)}\n[Output cut: ${max} of ${text.length} characters shown.]`
}
