/**
 * Every limit of the package, once. Names carry their unit; each line says why the number is what it is and what
 * happens there. A host passes a part of {@link Limits} to change those that are its to change.
 */
export interface Limits {
  /** Lines of one text window; past it the result is cut and says how to go on. Upstream's figure. */
  maxLines: number
  /** Bytes of UTF-8 of one text window; past it the result is cut and says how to go on. Upstream's figure. */
  maxBytes: number
  /** Line counting stops here and the total becomes "more than N": 10 s is what a user waits before giving up. */
  countingDeadlineMs: number
  /** A larger image file is named and not read. A camera's raw JPEG stays below it. */
  maxImageFileBytes: number
  /** More pixels than this by header, and the image is never decoded: 100 megapixels are 400 MB as RGBA. */
  maxImagePixels: number
  /** Longest side of an image in a result: providers refuse larger ones once a request holds more than 20. */
  maxImageSidePixels: number
  /** Base64 characters of an image in a result: the smallest limit of the large providers is 5 MB. */
  maxImageBase64Bytes: number
  /** A larger document answers `too-large`; it would cost its size again in the document process. */
  maxDocumentBytes: number
  /** Pages read in one call; the result says how to go on. */
  maxDocumentPages: number
  /** Characters extracted in one call; the rest of the pages is left for the next. */
  maxDocumentCharacters: number
  /** From the call to the kill of its process, the wait in the queue included. Finished pages are kept. */
  documentDeadlineMs: number
  /** Pixels shared by all pages that a call renders. */
  maxRenderedPixels: number
  /** A page with fewer characters of text than this is rendered: a scan with a page number is still a scan. */
  minPageCharacters: number
}

export const DEFAULT_LIMITS: Readonly<Limits> = Object.freeze({
  maxLines: 2_000,
  maxBytes: 51_200,
  countingDeadlineMs: 10_000,
  maxImageFileBytes: 32 * 1024 * 1024,
  maxImagePixels: 100_000_000,
  maxImageSidePixels: 2_000,
  maxImageBase64Bytes: 4.5 * 1024 * 1024,
  maxDocumentBytes: 64 * 1024 * 1024,
  maxDocumentPages: 20,
  maxDocumentCharacters: 300_000,
  documentDeadlineMs: 10_000,
  maxRenderedPixels: 4_000_000,
  minPageCharacters: 200,
})

/**
 * The default limits with a host's own in their place. Throws a RangeError that names the limit for one that is no number of 1
 * or more, or no limit at all: a NaN would bound nothing. Fractions are cut.
 */
export function limitsFrom(own: Partial<Limits> | null | undefined): Limits {
  const limits: Limits = { ...DEFAULT_LIMITS }
  for (const [name, value] of Object.entries(own ?? {})) {
    if (value === undefined) continue
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) throw new RangeError(`limits.${name} is no limit`)
    if (typeof value !== "number" || !Number.isFinite(value) || value < 1) {
      throw new RangeError(`limits.${name} must be a number of 1 or more; got ${String(value)}`)
    }
    limits[name as keyof Limits] = Math.floor(value)
  }
  return limits
}

/** Bytes that decide what a file is. Enough for every signature and for a NUL to show in real binaries. */
export const MAX_SNIFF_BYTES = 8_192
/** Bytes that an encoding is guessed from: four times as many took 60 ms of the main thread at the first guess. */
export const MAX_GUESS_BYTES = 2_048
/** Bytes of one positional read: larger ones gain under 5 % on a warm cache and double what is held. */
export const READ_CHUNK_BYTES = 262_144
/** Buffers of two chunks that reads share. One more than {@link MAX_THREADS_HELD}: unanswered calls keep theirs. */
export const MAX_SCAN_BUFFERS = 4
/** File-system calls of this library under way at once: Node has four threads, and the host needs some. */
export const MAX_CALLS_OUTSTANDING = 2
/** Threads ever held by calls that the operating system does not answer; past it calls fail at once. */
export const MAX_THREADS_HELD = 3
/** A call that has not come back after this lends its turn on: a dead mount must not stop reads elsewhere. */
export const CALL_LENDS_TURN_MS = 5_000
/** A call that has not come back after this is an error for its caller. Its thread stays held until it does. */
export const CALL_FAILS_MS = 30_000
/** Descriptors this library holds at once; further opens wait their turn. macOS starts programs with 256. */
export const MAX_OPEN_FILES = 64
/** A larger file is not read into one string, nor its lines into one array: V8 cannot hold a longer string. */
export const MAX_WHOLE_TEXT_BYTES = 0x1fff_ffe8
/** A larger file is not read into one array of bytes. The figure of Node's own `readFile`. */
export const MAX_WHOLE_FILE_BYTES = 2 ** 31 - 1
/** Output of a command that is held, whatever more a caller asks for: the result says which limit was in force. */
export const MAX_CAPTURE_BYTES = 16 * 1024 * 1024
/** Updates of a command's output come at most this often; what it prints in between is one update. */
export const SHELL_UPDATE_INTERVAL_MS = 100
/** After the shell has exited, its output ends when nothing came for this long, even if a background process holds it. */
export const SHELL_QUIET_MS = 100
/** ...and after this in any case: a background process may print for ever. */
export const SHELL_DRAIN_MS = 1_000
/** A killed command is waited for this long, so that it is gone when its caller goes on; an abort owes 100 ms. */
export const SHELL_KILL_WAIT_MS = 50
/** A line-index checkpoint at most this often: a continuation counts at most this many bytes again. */
export const CHECKPOINT_BYTES = 1024 * 1024
/** Files whose line index is kept, least recently used out first. */
export const MAX_INDEXED_FILES = 64
/** Checkpoints kept in all: 16 bytes each, so 1 MiB. */
export const MAX_INDEX_CHECKPOINTS = 65_536
/** A file changed less than this before the scan is not trusted to be at rest, as git treats racy entries. */
export const INDEX_AT_REST_MS = 2_000
/** A tool call lasting longer reports progress, at most this often. */
export const PROGRESS_INTERVAL_MS = 250
/** A folder that takes longer to list names no near names for a missing file: the error must not wait for it. */
export const NEAR_NAMES_DEADLINE_MS = 1_000
/** What an aborted tool call waits for its descriptor to be closed before it settles all the same. */
export const ABORT_GRACE_MS = 25

/** Document processes at work at once: each may take 768 MiB. */
export const MAX_DOCUMENT_PROCESSES = 2
/** Processes that stand by with the engine ready, of the kind that was read last. */
export const MAX_SPARE_PROCESSES = 1
/** A spare is ended when no document was read for this long. */
export const SPARE_PROCESS_IDLE_MS = 30_000
/** PDFium's WebAssembly memory: 718 of 718 real files need half of it, bombs need any amount. */
export const MAX_DOCUMENT_WASM_BYTES = 512 * 1024 * 1024
/** PDFium's memory once a document is open, its bytes included: with more, one thread reads it alone, since two would hold it. */
export const MAX_SHARED_PDF_WASM_BYTES = 64 * 1024 * 1024
/** The same of the second thread while it reads: beside it the first one keeps all that it may take. */
export const MAX_PDF_THREAD_WASM_BYTES = 128 * 1024 * 1024
/** Resident memory of a document process, looked at every {@link MEMORY_POLL_MS}; past it the process ends itself. */
export const MAX_DOCUMENT_RESIDENT_BYTES = 768 * 1024 * 1024
/** JavaScript heap of a document process, MiB, for `--max-old-space-size`. */
export const MAX_DOCUMENT_HEAP_MIB = 256
export const MEMORY_POLL_MS = 25
/** A killed process whose exit is not seen by then frees its place: 153 ms were measured where gigabytes are freed. */
export const PROCESS_EXIT_BOUND_MS = 5_000
/** Longest side of a rendered page, pixels. */
export const MAX_RENDERED_SIDE_PIXELS = 10_000
/** Characters of each output of a notebook's cell that are shown: a screen of text says what was computed. */
export const MAX_NOTEBOOK_OUTPUT_CHARACTERS = 2_000
/** Pictures of a notebook shown in one call: sharing {@link Limits.maxRenderedPixels}, each keeps a plot's 800 x 600. */
export const MAX_NOTEBOOK_IMAGES = 8
/** Entries of a ZIP archive that a document may be; the largest that people make hold hundreds, one for each image. */
export const MAX_ARCHIVE_ENTRIES = 10_000
/** Bytes that one part of a Word document is inflated to; what comes after them is never made, whatever the archive claims. */
export const MAX_WORD_PART_BYTES = 16 * 1024 * 1024
/** Elements and attributes that the main part of a Word document is parsed of: 220,000 took 4 s on busy cores, and 220 MB. */
export const MAX_WORD_NODES = 150_000
/** The same of its other parts together: styles and numbering have some 10,000, notes and comments the rest. */
export const MAX_WORD_SIDE_NODES = 100_000
/** Elements within each other in a Word document: tables in tables come to 60, and the parser recurses. */
export const MAX_WORD_XML_DEPTH = 256
/** Extracted documents kept for continuation, bytes in all. */
export const MAX_DOCUMENT_CACHE_BYTES = 8 * 1024 * 1024
/** Bytes of a fetched web body that are downloaded by default: the largest pages that people read are below it. */
export const DEFAULT_MAX_BODY_BYTES = 8 * 1024 * 1024
/** Milliseconds a fetched web body may take in all by default. */
export const DEFAULT_BODY_DEADLINE_MS = 30_000
/** A utility process that has not started by then never will: some 86 ms were measured, more under a virus scanner. */
export const ELECTRON_SPAWN_BOUND_MS = 5_000
/** How often Electron's metrics are asked for the memory of a process at work. */
export const ELECTRON_METRICS_POLL_MS = 200
/** PDFs of one call of the `pdf` tool. The figure of its peers. */
export const MAX_PDFS = 10
/** Characters of the prompt of the `pdf` tool: a question, not a document. */
export const MAX_PROMPT_CHARACTERS = 50_000
/** Bytes of all PDFs that are handed to a model as they are: as base64 they stay below 32 MB, what providers take at most. */
export const MAX_NATIVE_PDF_BYTES = 22 * 1024 * 1024
/** Bytes that an endpoint may answer to the command line: 160 times what is shown of it, for thoughts and escapes. */
export const MAX_MODEL_RESPONSE_BYTES = 8 * 1024 * 1024
/** Milliseconds that one model may take for its answer, after which the next is asked: long answers about long documents take minutes. */
export const DEFAULT_MODEL_DEADLINE_MS = 180_000
/** Characters of a model's error that attempts and messages quote. */
export const MAX_QUOTED_ERROR_CHARACTERS = 500
