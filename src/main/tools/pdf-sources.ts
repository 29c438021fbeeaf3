import type { Context, ExecutionEnv, FileByteReader, Result } from "../../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, err, ok, toError } from "../../../vendor/pi-harness/index.ts"
import type { Clock } from "../fs/clock.ts"
import { MAX_SNIFF_BYTES } from "../limits.ts"
import { readHead } from "./head.ts"
import { openPath } from "./open-path.ts"
import { notAPdf } from "./pdf-notices.ts"
import type { PdfReference } from "./pdf-references.ts"
import { sniff } from "./sniff.ts"

/** Downloads what stands at a URL, judged by its first bytes. The reader is the caller's to close. */
export type OpenUrl = (
  url: string,
  options: { maxBytes: number; context: Context },
) => Promise<Result<FileByteReader, Error>>

/** Where references lead. */
export interface PdfSurroundings {
  env: ExecutionEnv
  /** Absent: http(s) URLs are refused. */
  openUrl?: OpenUrl | undefined
  /** Opens `media://inbound/<id>`; absent: such references are refused. */
  openMedia?: ((id: string, context: Context) => Promise<Result<FileByteReader, Error>>) | undefined
  /** Where a path of the agent stands for `env`; `undefined` where it is that very path. */
  mapPath?: ((path: string, context: Context) => Promise<string | undefined>) | undefined
  maxDocumentBytes: number
  clock: Clock
}

/** A PDF that was found and judged by its first bytes. */
export interface PdfSource {
  /** What opened it: an absolute path, or its URL. */
  readonly pdf: string
  /** The reference that a host's mapping led away from. */
  readonly rewrittenFrom?: string
  /** The last part of its name. */
  readonly name: string
  /** As opened. */
  readonly bytes: number
  /** Tells one file under two names. */
  readonly identity: string
  /** The file once more, judged anew: what stood there may have been replaced. The reader is the caller's to close. */
  open(context: Context): Promise<Result<FileByteReader, Error>>
  /** Gives back what is held between the uses. */
  release(): Promise<void>
}

/**
 * The PDF that a reference means. Files are opened for each use and closed after it, so that no call holds one while it
 * waits for another; what came from a URL is held, since it exists nowhere else.
 */
export async function findPdf(
  reference: Exclude<PdfReference, { kind: "unsupported" }>,
  surroundings: PdfSurroundings,
  context: Context,
): Promise<Result<PdfSource, Error>> {
  switch (reference.kind) {
    case "path":
      return findFile(reference.path, surroundings, context)
    case "url":
      return download(reference.url, surroundings, context)
    case "media": {
      const { openMedia } = surroundings
      const original = `media://inbound/${reference.id}`
      if (openMedia === undefined) return err(new Error(`Not opened: ${original}: this host keeps no inbound media.`))
      const open = async (context: Context) => hostCall(() => openMedia(reference.id, context))
      const source = await judged(open, original, context)
      // The host's readers need not tell files apart; its ids do.
      return source.ok ? ok({ ...source.value, identity: original }) : source
    }
  }
}

async function findFile(
  asked: string,
  { env, mapPath, clock }: PdfSurroundings,
  context: Context,
): Promise<Result<PdfSource, Error>> {
  const mapped = await hostCall(async () => ok(await mapPath?.(asked, context)))
  if (!mapped.ok) return mapped
  const path = mapped.value ?? asked
  if (typeof path !== "string") return err(new Error(`Not opened: ${asked}: the host's mapping led to no path.`))
  const open = async (context: Context) => {
    const opened = await openPath(env, path, context, clock)
    return opened.ok ? ok(opened.value.reader) : opened
  }
  return judged(open, path === asked ? undefined : asked, context)
}

async function download(
  url: string,
  { openUrl, maxDocumentBytes }: PdfSurroundings,
  context: Context,
): Promise<Result<PdfSource, Error>> {
  if (openUrl === undefined) return err(new Error(`Not fetched: ${url}: URLs of the web are not read here.`))
  const opened = await hostCall(() => openUrl(url, { maxBytes: maxDocumentBytes, context }))
  if (!opened.ok) return opened
  const reader = opened.value
  const source = await judged(async () => ok(lent(reader)), undefined, context, url)
  if (!source.ok) {
    await reader.close(BACKGROUND_CONTEXT)
    return source
  }
  return ok({ ...source.value, pdf: url, identity: url, release: () => reader.close(BACKGROUND_CONTEXT) })
}

/** The reader for one use, which does not close it. */
function lent(reader: FileByteReader): FileByteReader {
  const { refresh } = reader
  return {
    info: reader.info,
    read: (position, length, context, into) => reader.read(position, length, context, into),
    ...(refresh === undefined ? {} : { refresh: (context: Context) => refresh.call(reader, context) }),
    close: async () => undefined,
  }
}

async function judged(
  open: (context: Context) => Promise<Result<FileByteReader, Error>>,
  rewrittenFrom: string | undefined,
  context: Context,
  called?: string,
): Promise<Result<PdfSource, Error>> {
  const openPdf = async (context: Context): Promise<Result<FileByteReader, Error>> => {
    const opened = await open(context)
    if (!opened.ok) return opened
    const reader = opened.value
    const refusal = await refuse(reader, called ?? reader.info.path, context)
    if (refusal === undefined) return opened
    await reader.close(BACKGROUND_CONTEXT)
    return err(refusal)
  }
  const first = await openPdf(context)
  if (!first.ok) return first
  const { path, size, identity } = first.value.info
  await first.value.close(BACKGROUND_CONTEXT)
  return ok({
    pdf: path,
    ...(rewrittenFrom === undefined ? {} : { rewrittenFrom }),
    name: nameOf(called ?? path),
    bytes: size,
    identity,
    open: openPdf,
    release: async () => undefined,
  })
}

/** Why the file is not a PDF; undefined where it is one. */
async function refuse(reader: FileByteReader, called: string, context: Context): Promise<Error | undefined> {
  const head = await readHead(reader, new Uint8Array(MAX_SNIFF_BYTES), context)
  if (!head.ok) return head.error
  const kind = sniff(head.value)
  return kind.kind === "document" && kind.document === "pdf" ? undefined : notAPdf(called, kind, head.value.length)
}

/** The last part of a path or of a URL's path. */
function nameOf(path: string): string {
  const plain = URL.canParse(path) && /^https?:/i.test(path) ? new URL(path).pathname : path
  const last = plain.split(/[\\/]/).findLast((part) => part !== "") ?? "document.pdf"
  // What stands in notices must not look like one of its own lines.
  return last.slice(0, MAX_NAME_CHARACTERS).replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, "\ufffd")
}

/** No file system has longer names. */
const MAX_NAME_CHARACTERS = 255

/** What a host's function comes to, thrown or not. */
async function hostCall<T>(call: () => Promise<Result<T, Error>>): Promise<Result<T, Error>> {
  try {
    const result: Result<T, Error> | undefined = await call()
    if (result?.ok) return result
    return err(toError(result?.error ?? new Error("the host answered nothing")))
  } catch (thrown) {
    return err(toError(thrown))
  }
}
