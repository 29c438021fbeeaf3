import { type PackageParts, read } from "mammoth/lib/docx/docx-reader.js"
import { MAX_WORD_NODES, MAX_WORD_PART_BYTES, MAX_WORD_SIDE_NODES } from "../../limits.ts"
import type { DocxJob, JobOutcome } from "../extractor-protocol.ts"
import { cleanText, cutText } from "./clean-text.ts"
import { type Engine, type EngineSink, GatheredBytes } from "./engine.ts"
import { writeMarkdown } from "./word-markdown.ts"
import { separateLists } from "./word-numbering.ts"
import { boundXml, decodePart } from "./word-xml.ts"
import { ArchiveError, ZipArchive } from "./zip-archive.ts"

/** What an Office document with a password is: an OLE container with one stream of this name. */
const ENCRYPTED_PACKAGE = Buffer.from("EncryptedPackage", "utf16le")
const OLE_SIGNATURE = Buffer.from("d0cf11e0a1b11ae1", "hex")
/** mammoth's word for an equation that it leaves out. */
const EQUATION_MESSAGE = /\{[^}]*\/math\}oMath/
/** A picture's element, whose attributes name its file. */
const PICTURE_FILE = /(<(?:[\w.-]+:)?(?:blip|imagedata)\b)[^<>]*?(\/?>)/g

/** mammoth asks for the main part last, so that what is left of a common budget would be its share. */
const MAIN_ROOT = /<(?:[\w.-]+:)?document[\s>]/
const NUMBERING_ROOT = /<w:numbering[\s>]/
const MAX_PROLOGUE_CHARACTERS = 4_096

/** Word documents: mammoth reads their XML into a tree, and that becomes Markdown. They have no pages: all of it is page 1. */
export function createDocxEngine(): Engine {
  return {
    begin: (job, size) => {
      if (job.kind !== "docx") throw new Error(`The Word engine does not read ${job.kind}`)
      const gathered = new GatheredBytes(size)
      return {
        write: (bytes) => gathered.write(bytes),
        finish: async (sink) => {
          try {
            return await readWordDocument(gathered.bytes, job, sink)
          } catch (thrown) {
            return { textTruncated: false, notRead: reasonOf(thrown) }
          }
        },
      }
    },
  }
}

async function readWordDocument(bytes: Uint8Array, job: DocxJob, sink: EngineSink): Promise<JobOutcome> {
  if (isEncrypted(bytes)) return { textTruncated: false, notRead: "encrypted" }
  const { maxCharacters } = job.limits
  const archive = new ZipArchive(bytes)
  const { parts, value, messages } = await readParts(archive, maxCharacters)
  const written = writeMarkdown(value, maxCharacters)
  const text = cleanText(written.text)
  const textTruncated = parts.cut || written.cut || text.length > maxCharacters
  await sink.opened(1)
  await sink.page(1, cutText(text, maxCharacters), textTruncated)
  const equations = messages.some(({ message }) => EQUATION_MESSAGE.test(message))
  const notes = notesOf(written.images + parts.picturesTaken, equations)
  return {
    textTruncated,
    ...(notes.length === 0 ? {} : { notes }),
    ...(written.hasText ? {} : { notRead: "no-text" }),
  }
}

/** mammoth throws over a picture whose relationship is missing; then none of them names its file, and it leaves all out. */
async function readParts(archive: ZipArchive, maxCharacters: number) {
  const parts = new WordParts(archive, maxCharacters)
  try {
    return { parts, ...(await read(parts)) }
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown
    const withoutFiles = new WordParts(archive, maxCharacters, true)
    return { parts: withoutFiles, ...(await read(withoutFiles)) }
  }
}

function isEncrypted(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.subarray(0, OLE_SIGNATURE.length).equals(OLE_SIGNATURE) && buffer.includes(ENCRYPTED_PACKAGE)
}

function notesOf(images: number, equations: boolean): string[] {
  return [
    ...(images === 0 ? [] : [`${images} ${images === 1 ? "image" : "images"} left out.`]),
    ...(equations ? ["Equations are left out."] : []),
  ]
}

/** A throw of mammoth, or of its parser, says that the document is damaged, unless the stack or the heap gave way. */
function reasonOf(thrown: unknown): NonNullable<JobOutcome["notRead"]> {
  if (thrown instanceof ArchiveError) return thrown.notRead
  return thrown instanceof RangeError ? "too-large" : "unsupported"
}

/** The parts that mammoth asks for, each bounded before it is parsed. Images are never asked for. */
class WordParts implements PackageParts {
  readonly #archive: ZipArchive
  readonly #maxTextCharacters: number
  readonly #withoutPictureFiles: boolean
  #sideNodesLeft = MAX_WORD_SIDE_NODES
  /** Something was left out of some part. */
  cut = false
  /** Pictures that were kept from mammoth. */
  picturesTaken = 0

  constructor(archive: ZipArchive, maxTextCharacters: number, withoutPictureFiles = false) {
    this.#archive = archive
    this.#maxTextCharacters = maxTextCharacters
    this.#withoutPictureFiles = withoutPictureFiles
  }

  exists(name: string): boolean {
    return this.#archive.has(name)
  }

  async read(name: string): Promise<string> {
    const { bytes, whole } = await this.#archive.read(name, MAX_WORD_PART_BYTES)
    const part = decodePart(bytes)
    const isMain = MAIN_ROOT.test(part.slice(0, MAX_PROLOGUE_CHARACTERS))
    const maxNodes = isMain ? MAX_WORD_NODES : this.#sideNodesLeft
    const bounded = boundXml(part, { maxTextCharacters: this.#maxTextCharacters, maxNodes, whole })
    const { cut, nodes } = bounded
    const xml = this.#withoutPictureFiles ? this.#takePictureFiles(bounded.xml) : bounded.xml
    if (!isMain) this.#sideNodesLeft = Math.max(0, this.#sideNodesLeft - nodes)
    this.cut ||= cut
    return NUMBERING_ROOT.test(xml.slice(0, MAX_PROLOGUE_CHARACTERS)) ? separateLists(xml) : xml
  }

  #takePictureFiles(xml: string): string {
    return xml.replace(PICTURE_FILE, (_element, start: string, end: string) => {
      this.picturesTaken += 1
      return start + end
    })
  }
}
