import type { Metadata, Sharp, SharpConstructor, SharpOptions } from "sharp"
import type { ImageJob, JobOutcome } from "../extractor-protocol.ts"
import { sniffImage } from "../image-signature.ts"
import { walkImage } from "../image-structure.ts"
import { decodeBmp, readBmpSize } from "./bmp.ts"
import { type EncodedImage, type Engine, type EngineSink, GatheredBytes } from "./engine.ts"
import { encodeToFit, type ShownPixels } from "./image-encoding.ts"
import { practiseImages } from "./image-practice.ts"
import { loadSharp } from "./load-sharp.ts"
import { countPngFrames } from "./png-frames.ts"

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

/** What was decoded: where libvips gets its pixels from, and what its header says. */
interface Source {
  open: () => Sharp
  /** Pixels of the upright image. */
  width: number
  height: number
  frames: number
  /** Shown upright, in colours that every viewer takes for sRGB. */
  plain: boolean
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
    const source = mimeType === "image/bmp" ? this.#openBmp() : await this.#openEncoded()
    if (source === undefined) return unread("unsupported")
    const { width, height, frames } = source
    if (width * height > limits.maxPixels) return unread("too-large")
    const original = { width, height, ...(frames > 1 ? { frames } : {}) }
    const part = clipped(region, source)
    if (part === undefined) {
      return { ...unread("unsupported", `the region lies outside of its ${width} x ${height} pixels`), original }
    }
    const { pixels, whole } = await this.#decode(source, part)
    const kept = whole && source.plain && region === undefined ? this.#passedOn(source) : undefined
    const image = kept ?? (await encodeToFit(this.#sharp, pixels, limits.maxImageBytes, this.#withTime))
    if (image === undefined) return { ...unread("too-large"), original }
    await this.#sink.image(0, image)
    return { textTruncated: false, original, converted: kept === undefined }
  }

  /** The file as it is, where its type is accepted and it fits. Called once it was decoded to its last pixel. */
  #passedOn({ width, height, frames }: Source): EncodedImage | undefined {
    const mimeType = ACCEPTED.find((accepted) => accepted === this.#job.mimeType)
    const fits = this.#bytes.byteLength <= this.#job.limits.maxImageBytes
    if (mimeType === undefined || !fits || frames !== 1 || !this.#isWholeFile()) return undefined
    return { data: this.#bytes, mimeType, width, height }
  }

  /** libvips forgives what stricter decoders do not: a missing end, a wrong checksum behind the last row. */
  #isWholeFile(): boolean {
    const format = sniffImage(this.#bytes)?.format
    const walk = format === undefined ? undefined : walkImage(format, this.#bytes)
    let step = walk?.next()
    while (step?.done === false) step = walk?.next()
    return step?.value !== undefined
  }

  /** The part as it will be shown, at most so many pixels a side. `whole`: nothing was cut off or shrunk. */
  async #decode(source: Source, part: Part): Promise<{ pixels: ShownPixels; whole: boolean }> {
    const { maxSidePixels } = this.#job.limits
    const cut = part.width < source.width || part.height < source.height
    const scale = Math.min(1, maxSidePixels / Math.max(part.width, part.height))
    const width = Math.max(1, Math.round(part.width * scale))
    const height = Math.max(1, Math.round(part.height * scale))
    let pipeline = source.open()
    if (cut) pipeline = pipeline.extract({ left: part.x, top: part.y, width: part.width, height: part.height })
    if (scale < 1) pipeline = pipeline.resize(width, height, { fit: "fill" })
    const { data, info } = await this.#withTime(pipeline.toColourspace("srgb"))
      .raw()
      .toBuffer({ resolveWithObject: true })
    const { channels } = info
    if (info.width !== width || info.height !== height || !isChannels(channels)) throw new Error("an unexpected size")
    return { pixels: { data, width, height, channels }, whole: !cut && scale === 1 }
  }

  async #openEncoded(): Promise<Source | undefined> {
    const { limits, mimeType } = this.#job
    const options: SharpOptions = {
      // A warning is what libjpeg says of a hole in the coded pixels.
      failOn: "warning",
      limitInputPixels: limits.maxPixels,
      sequentialRead: true,
      pages: 1,
      autoOrient: true,
    }
    // Pixels in a screen of no size: its header lies.
    if (mimeType === "image/gif" && sniffImage(this.#bytes)?.width === undefined) return undefined
    const metadata = await this.#sharp(this.#bytes, options).metadata()
    if (FORMATS[mimeType] !== metadata.format) return undefined
    const { width, height } = metadata.autoOrient
    return {
      open: () => this.#sharp(this.#bytes, options),
      width,
      height,
      frames: Math.max(metadata.pages ?? 1, mimeType === "image/png" ? countPngFrames(this.#bytes) : 1),
      plain: (metadata.orientation ?? 1) === 1 && metadata.space !== "cmyk",
    }
  }

  #openBmp(): Source | undefined {
    const size = readBmpSize(this.#bytes)
    if (size === undefined) return undefined
    const open = () => {
      const bmp = decodeBmp(this.#bytes)
      if (bmp === undefined) throw new Error("a damaged bitmap")
      const { data, width, height, channels } = bmp
      return this.#sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
    }
    return { open, ...size, frames: 1, plain: false }
  }

  /** libvips stops by itself before the process is killed, so that the outcome is a `timeout` with words. */
  #withTime = (pipeline: Sharp): Sharp =>
    pipeline.timeout({ seconds: Math.max(1, Math.floor(this.#sink.remainingMs() / 1_000)) })
}

/** The names that libvips gives to what it takes the bytes for. */
const FORMATS: Readonly<Record<string, Metadata["format"]>> = {
  "image/png": "png",
  "image/jpeg": "jpeg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/tiff": "tiff",
  "image/avif": "heif",
}

interface Part {
  x: number
  y: number
  width: number
  height: number
}

/** The region within the image, all of the image where none was asked for; `undefined` where they do not meet. */
function clipped(region: Part | undefined, { width, height }: Source): Part | undefined {
  if (region === undefined) return { x: 0, y: 0, width, height }
  if (region.x >= width || region.y >= height) return undefined
  const part = { width: Math.min(region.width, width - region.x), height: Math.min(region.height, height - region.y) }
  return { x: region.x, y: region.y, ...part }
}

function isChannels(channels: number): channels is ShownPixels["channels"] {
  return channels >= 1 && channels <= 4
}
