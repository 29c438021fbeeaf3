import type {
  Context,
  ExecutionEnv,
  FileByteReader,
  FileError,
  HarnessTool,
  Result,
  ToolUpdateCallback,
} from "../../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, getOrThrow, ok } from "../../../vendor/pi-harness/index.ts"
import { type Clock, systemClock } from "../fs/clock.ts"
import { createLineIndex, type LineIndex } from "../fs/line-index.ts"
import { leaseScanBuffer } from "../fs/scan-buffer.ts"
import { type Limits, limitsFrom, MAX_DOCUMENT_CACHE_BYTES } from "../limits.ts"
import { OLE_FILE } from "./binary-signatures.ts"
import { DocumentCache } from "./document-cache.ts"
import { readDocument } from "./document-content.ts"
import { readHead } from "./head.ts"
import { readImage } from "./image-content.ts"
import { mayBeNotebook, readNotebook } from "./notebook-content.ts"
import * as notices from "./notices.ts"
import { officeMimeType, officeNotShown } from "./office-archives.ts"
import { encryptedOfficeFile, legacyOfficeNotShown, nameOleFile, OLE_NAMINGS } from "./ole-contents.ts"
import { openPath } from "./open-path.ts"
import { parseReadParameters, READ_PARAMETERS, type ReadParameters, type ReadToolInput } from "./parameters.ts"
import { type ReadProgress, startProgress } from "./read-progress.ts"
import type { ReadDetails, ReadReceipt, ReadResult } from "./read-result.ts"
import type { ReadToolOptions } from "./read-tool-options.ts"
import { settleOnAbort } from "./settle-on-abort.ts"
import { type SniffedKind, sniff } from "./sniff.ts"
import { readText } from "./text-content.ts"

export type ReadTool = HarnessTool<ReadToolInput, ReadDetails, ReadResult>

/**
 * The read tool. Whatever stands at the path, a call is bounded in memory, output and main-thread time. `execute` throws
 * a {@link FileError} where the file cannot be read, with code `aborted` within 100 ms of an abort, and an Error that
 * states the rule where the parameters are wrong; what is in the file is never a reason to throw.
 *
 * Throws a RangeError for a limit that bounds nothing.
 *
 * @param clock for tests: drives deadlines and progress
 */
export function createReadTool(options: ReadToolOptions = {}, clock: Clock = systemClock): ReadTool {
  const limits = limitsFrom(options.limits)
  const { lineIndex = createLineIndex() } = options
  const index = lineIndex === false ? undefined : lineIndex
  const settings: Settings = { options, limits, index, documents: new DocumentCache(MAX_DOCUMENT_CACHE_BYTES), clock }
  return {
    name: "read",
    label: "read",
    description: notices.toolDescription(limits, options.acceptsImages !== false),
    parameters: READ_PARAMETERS,
    execute: async (_toolCallId, params, onUpdate, { env }, _invocation, context) => {
      const parameters = getOrThrow(parseReadParameters(params))
      const progress = startProgress(onUpdate && ((text) => onUpdate(progressUpdate(text))), clock)
      try {
        const call = new ReadCall(settings, env, parameters, progress, context)
        return getOrThrow(await settleOnAbort(call.run(), parameters.path, context, clock))
      } finally {
        progress.stop()
      }
    },
  }
}

interface Settings {
  options: ReadToolOptions
  limits: Limits
  index: LineIndex | undefined
  documents: DocumentCache
  clock: Clock
}

function progressUpdate(text: string): Parameters<ToolUpdateCallback<ReadDetails>>[0] {
  return { content: [{ type: "text", text }], details: undefined }
}

class ReadCall {
  constructor(
    private readonly settings: Settings,
    private readonly env: ExecutionEnv,
    private readonly parameters: ReadParameters,
    private readonly progress: ReadProgress,
    private readonly context: Context,
  ) {}

  async run(): Promise<Result<ReadResult, Error>> {
    const { path } = this.parameters
    this.progress.say(() => notices.opening(path))
    const opened = await openPath(this.env, path, this.context, this.settings.clock)
    if (!opened.ok) return opened
    const { reader } = opened.value
    try {
      return await this.read(reader, opened.value.path)
    } finally {
      // Under no context that is aborted: the call settles when the descriptor is gone.
      await reader.close(BACKGROUND_CONTEXT)
    }
  }

  /** Text is read while the buffer is lent; all else, which may take longer, once it is given back. */
  private async read(reader: FileByteReader, path: string, asText = false): Promise<Result<ReadResult, Error>> {
    const leased = await leaseScanBuffer(this.context)
    if (!leased.ok) return leased
    const buffer = leased.value
    let kind: SniffedKind
    try {
      const head = await readHead(reader, buffer.halves[0], this.context)
      if (!head.ok) return head
      kind = this.judge(sniff(head.value))
      const { documentExtractor } = this.settings.options
      const asCells = !asText && documentExtractor?.readNotebook && this.parameters.encoding === undefined
      if (kind.kind === "text" && !(asCells && mayBeNotebook(reader.info.path, head.value))) {
        return await this.readText(reader, path, buffer, head.value)
      }
    } finally {
      buffer.release()
    }
    return kind.kind === "text" ? this.readCells(reader, path) : this.readOther(kind, reader, path)
  }

  /** A notebook as cells; what turns out to be none is read as text after all. */
  private async readCells(reader: FileByteReader, path: string): Promise<Result<ReadResult, Error>> {
    const { options, limits } = this.settings
    const { documentExtractor, acceptsImages } = options
    const read = documentExtractor?.readNotebook?.bind(documentExtractor)
    if (read === undefined) return this.read(reader, path, true)
    const { offset, limit, column } = this.parameters
    const request = { reader, readNotebook: read, offset, limit, column, acceptsImages, limits, path }
    const shown = await readNotebook(request, this.context)
    if (!shown.ok) return shown
    return shown.value === undefined ? this.read(reader, path, true) : ok(shown.value)
  }

  /** An encoding other than UTF-8 asks for the text of what is otherwise only named. */
  private judge(kind: SniffedKind): SniffedKind {
    const { encoding = "utf-8" } = this.parameters
    return encoding === "utf-8" || kind.kind === "image" || kind.kind === "document" ? kind : { kind: "text" }
  }

  private readText(
    reader: FileByteReader,
    path: string,
    buffer: Parameters<typeof readText>[0]["buffer"],
    head: Uint8Array,
  ): Promise<Result<ReadResult, Error>> {
    const { limits, index, clock } = this.settings
    const onProgress = (bytesRead: number, size: number): void =>
      this.progress.say(() => notices.reading(path, bytesRead, size))
    const request = { reader, buffer, head, limits, index, onProgress, clock: () => clock.now() }
    return readText({ ...request, parameters: this.parameters, wording: this.wording(path) }, this.context)
  }

  private async readOther(
    kind: Exclude<SniffedKind, { kind: "text" }>,
    reader: FileByteReader,
    path: string,
  ): Promise<Result<ReadResult, Error>> {
    const { limits, options } = this.settings
    const bytes = reader.info.size
    const wording = this.wording(path)
    switch (kind.kind) {
      case "image": {
        const { imageProcessor, autoResizeImages, documentExtractor, acceptsImages } = options
        const host = { imageProcessor, autoResizeImages, documentExtractor, acceptsImages }
        const request = { reader, image: kind.image, limits, region: this.parameters.region, ...host }
        return readImage(request, this.context)
      }
      case "document": {
        const { offset, limit, column, pages, password } = this.parameters
        const { documentExtractor: extractor, acceptsImages } = options
        const asked = { kind: kind.document, offset, limit, column, pages, password, shell: wording.shell }
        const request = { ...asked, reader, path, extractor, acceptsImages, limits, cache: this.settings.documents }
        return readDocument(request, this.context)
      }
      case "utf-32":
        return ok(notice(notices.unicodeText("UTF-32", bytes, undefined, wording), reader, { kind: "utf-32" }))
      case "utf-16": {
        const label = `utf-16${kind.order}`
        const name = kind.bom ? "UTF-16" : kind.order === "le" ? "UTF-16LE" : "UTF-16BE"
        const text = notices.unicodeText(name, bytes, label, wording)
        return ok(notice(text, reader, { kind: "utf-16", encoding: label }))
      }
      case "binary": {
        if (kind.looksLike === OLE_FILE) return this.readOle(reader, wording)
        if (kind.office !== undefined) {
          const mimeType = officeMimeType(kind.office)
          const facts = { kind: "binary" as const, ...(mimeType === undefined ? {} : { mimeType }) }
          return ok(notice(officeNotShown(kind.office, bytes, wording), reader, facts))
        }
        return ok(notice(notices.binaryFile(bytes, kind.looksLike, wording), reader, { kind: "binary" }))
      }
    }
  }

  /** Only the directory of such a file says what it is, and that may stand anywhere in it. */
  private async readOle(reader: FileByteReader, wording: notices.Wording): Promise<Result<ReadResult, Error>> {
    const found = await nameOleFile(reader, this.context)
    if (!found.ok) return found
    const bytes = reader.info.size
    if (found.value === undefined) {
      return ok(notice(notices.binaryFile(bytes, OLE_FILE, wording), reader, { kind: "binary" }))
    }
    if (found.value === "encrypted") return ok(encryptedOfficeFile(reader, this.settings.limits))
    const { mimeType, ...naming } = OLE_NAMINGS[found.value]
    return ok(notice(legacyOfficeNotShown(naming, bytes, wording), reader, { kind: "binary", mimeType }))
  }

  private wording(path: string): notices.Wording {
    return { path, shell: this.settings.options.shell !== false, maxBytes: this.settings.limits.maxBytes }
  }
}

function notice(
  text: string,
  reader: FileByteReader,
  facts: Partial<ReadReceipt> & { kind: ReadReceipt["kind"] },
): ReadResult {
  const { path, size } = reader.info
  return { content: [{ type: "text", text }], details: undefined, receipt: { path, bytes: size, ...facts } }
}
