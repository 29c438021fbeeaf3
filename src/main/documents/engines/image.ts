import type { Sharp, SharpConstructor } from "sharp"
import type { ImageJob, JobOutcome } from "../extractor-protocol.ts"
import { sniffImage } from "../image-signature.ts"
import { walkImage } from "../image-structure.ts"
import { type EncodedImage, type Engine, type EngineSink, GatheredBytes } from "./engine.ts"
import { encodedAs, encodeToFit, type ShownPixels } from "./image-encoding.ts"
import { guessImageEncoding } from "./image-encoding-guess.ts"
import { practiseImages } from "./image-practice.ts"
import { type ImageSource, openImage } from "./image-source.ts"
import { loadSharp } from "./load-sharp.ts"

/** Formats that libvips, as it comes with sharp, has no decoder for: patents (HEVC) or size. */
const NOT_DECODED: Readonly<Record<string, string>> = {
  "image/heic": "HEIC",
  "image/jxl": "JPEG XL",
  "image/x-icon": "ICO",
}
/** Types that every large provider takes. */
const ACCEPTED = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const

/** The image engine: sharp, loaded with the first job. Where it is missing, that is the outcome of every job. */
export async function createImageEngine(load: () => Promise<SharpConstructor> = loadSharp): Promise<Engine> {
  let sharp: SharpConstructor | undefined
  let failure = ""
  try {
    sharp = await load()
  } catch (thrown) {
    failure = firstLine(thrown)
  }
  return {
    begin: (job, size) => {
      if (job.kind !== "image") throw new Error(`The image engine does not read ${job.kind}`)
      const gathered = new GatheredBytes(size)
      return {
        write: (bytes) => gathered.write(bytes),
        finish: async (sink) => {
          if (sharp === undefined) return unread("unavailable", `sharp could not be loaded: ${failure}`)
          return convert(sharp, job, gathered.bytes, sink)
        },
      }
    },
    practise: async (mayGoOn) => {
      const loaded = sharp
      if (loaded === undefined) return
      await practiseImages(loaded, (job, bytes) => convert(loaded, job, bytes, NOWHERE), mayGoOn)
    },
  }
}

/** Where the images of a process that practises go. */
const NOWHERE: EngineSink = {
  opened: async () => undefined,
  page: async () => undefined,
  image: async () => undefined,
  remainingMs: () => 1_000,
}

async function convert(
  sharp: SharpConstructor,
  job: ImageJob,
  bytes: Uint8Array,
  sink: EngineSink,
): Promise<JobOutcome> {
  try {
    return await new ImageConversion(sharp, job, bytes, sink).run()
  } catch (thrown) {
    return outcomeOf(thrown)
  }
}

/** The message that the outcome of a job may carry: one line of at most 250 characters. */
function firstLine(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  const line = text.split("\n").find((candidate) => candidate.trim() !== "") ?? "unknown error"
  return line.replace(/[\p{Cc}\p{Cs}]/gu, " ").slice(0, 250)
}

function unread(notRead: NonNullable<JobOutcome["notRead"]>, message?: string): JobOutcome {
  return { textTruncated: false, notRead, ...(message === undefined ? {} : { message }) }
}

/** A throw of libvips says that the image is damaged, unless it is about time or size. */
function outcomeOf(thrown: unknown): JobOutcome {
  const message = firstLine(thrown)
  if (/timeout/i.test(message)) return unread("timeout")
  return unread(/exceeds pixel limit|out of memory/i.test(message) ? "too-large" : "unsupported")
}

class ImageConversion {
  readonly #sharp: SharpConstructor
  readonly #job: ImageJob
  readonly #bytes: Uint8Array
  readonly #sink: EngineSink

  constructor(sharp: SharpConstructor, job: ImageJob, bytes: Uint8Array, sink: EngineSink) {
    this.#sharp = sharp
    this.#job = job
    this.#bytes = bytes
    this.#sink = sink
  }

  async run(): Promise<JobOutcome> {
    const { mimeType, region, limits } = this.#job
    const name = NOT_DECODED[mimeType]
    if (name !== undefined) return unread("unsupported", `${name} is not decoded here`)
    const source = await openImage(this.#sharp, mimeType, this.#bytes, limits.maxPixels)
    if (source === undefined) return unread("unsupported")
    const { width, height, frames } = source
    if (width * height > limits.maxPixels) return unread("too-large")
    const original = { width, height, ...(frames > 1 ? { frames } : {}) }
    const view = viewOf(source, region, limits.maxSidePixels)
    if (view === undefined) {
      return { ...unread("unsupported", `the region lies outside of its ${width} x ${height} pixels`), original }
    }
    const mayPass = view.whole && region === undefined && this.#mayPass(source)
    const straight = mayPass || region !== undefined ? undefined : await this.#encodeStraight(source, view)
    const image = straight ?? (await this.#encodeDecoded(source, view, mayPass))
    if (image === undefined) return { ...unread("too-large"), original }
    await this.#sink.image(0, image)
    return { textTruncated: false, original, converted: image.data !== this.#bytes }
  }

  /** Whether the file may be the answer as it is, should it prove whole. */
  #mayPass({ plain, frames }: ImageSource): boolean {
    const { mimeType, limits } = this.#job
    const fits = this.#bytes.byteLength <= limits.maxImageBytes
    return plain && frames === 1 && fits && isAccepted(mimeType)
  }

  /** In one go from the file to PNG or JPEG, where it is clear before which it will be. */
  async #encodeStraight(source: ImageSource, view: ImageView): Promise<EncodedImage | undefined> {
    const mimeType = await guessImageEncoding(
      { ...source, mimeType: this.#job.mimeType, byteLength: this.#bytes.byteLength },
      (rows) => this.#pixelsOf(shown(source, { ...view, partHeight: rows, width: source.width, height: rows })),
    )
    if (mimeType === undefined) return undefined
    const pipeline = this.#withTime(encodedAs(mimeType, shown(source, view)))
    const { data, info } = await pipeline.toBuffer({ resolveWithObject: true })
    if (info.width !== view.width || info.height !== view.height) throw new Error("an unexpected size")
    if (data.byteLength > this.#job.limits.maxImageBytes) return undefined
    return { data, mimeType, width: info.width, height: info.height }
  }

  /** From all pixels of the view; the file itself where it may pass and these say that it is whole. */
  async #encodeDecoded(source: ImageSource, view: ImageView, mayPass: boolean): Promise<EncodedImage | undefined> {
    const { mimeType, limits } = this.#job
    const pixels = await this.#pixelsOf(shown(source, view))
    if (pixels.width !== view.width || pixels.height !== view.height) throw new Error("an unexpected size")
    if (mayPass && isAccepted(mimeType) && this.#isWholeFile()) {
      return { data: this.#bytes, mimeType, width: view.width, height: view.height }
    }
    return encodeToFit(this.#sharp, pixels, limits.maxImageBytes, this.#withTime)
  }

  async #pixelsOf(pipeline: Sharp): Promise<ShownPixels> {
    const { data, info } = await this.#withTime(pipeline).raw().toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    if (!isChannels(channels)) throw new Error("an unexpected number of channels")
    return { data, width, height, channels }
  }

  /** libvips forgives what stricter decoders do not: a missing end, a wrong checksum behind the last row. */
  #isWholeFile(): boolean {
    const format = sniffImage(this.#bytes)?.format
    const walk = format === undefined ? undefined : walkImage(format, this.#bytes)
    let step = walk?.next()
    while (step?.done === false) step = walk?.next()
    return step?.value !== undefined
  }

  /** libvips stops by itself before the process is killed, so that the outcome is a `timeout` with words. */
  #withTime = (pipeline: Sharp): Sharp =>
    pipeline.timeout({ seconds: Math.max(1, Math.floor(this.#sink.remainingMs() / 1_000)) })
}

function isAccepted(mimeType: string): mimeType is EncodedImage["mimeType"] {
  return ACCEPTED.some((accepted) => accepted === mimeType)
}

/** The part of an image that is shown, and the size it is shown at. */
interface ImageView {
  left: number
  top: number
  /** Pixels of the image. */
  partWidth: number
  partHeight: number
  /** Pixels that are shown. */
  width: number
  height: number
  /** Nothing is cut off, nothing shrunk. */
  whole: boolean
}

/** The region within the image, all of it where none was asked for; `undefined` where they do not meet. */
function viewOf(source: ImageSource, region: ImageJob["region"], maxSidePixels: number): ImageView | undefined {
  const { x, y } = region ?? { x: 0, y: 0 }
  if (x >= source.width || y >= source.height) return undefined
  const partWidth = Math.min(region?.width ?? source.width, source.width - x)
  const partHeight = Math.min(region?.height ?? source.height, source.height - y)
  const scale = Math.min(1, maxSidePixels / Math.max(partWidth, partHeight))
  return {
    left: x,
    top: y,
    partWidth,
    partHeight,
    width: Math.max(1, Math.round(partWidth * scale)),
    height: Math.max(1, Math.round(partHeight * scale)),
    whole: partWidth === source.width && partHeight === source.height && scale === 1,
  }
}

/** The pixels of the view in sRGB, still to be decoded. */
function shown(source: ImageSource, { left, top, partWidth, partHeight, width, height }: ImageView): Sharp {
  let pipeline = source.open()
  if (partWidth < source.width || partHeight < source.height) {
    pipeline = pipeline.extract({ left, top, width: partWidth, height: partHeight })
  }
  if (width < partWidth || height < partHeight) pipeline = pipeline.resize(width, height, { fit: "fill" })
  return pipeline.toColourspace("srgb")
}

function isChannels(channels: number): channels is ShownPixels["channels"] {
  return channels >= 1 && channels <= 4
}
