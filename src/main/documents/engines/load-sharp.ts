import type { SharpConstructor } from "sharp"

/** The loaders of libvips that others' bytes may reach. What has no loader of its own here is not decoded. */
const LOADERS = [
  "VipsForeignLoadJpegBuffer",
  "VipsForeignLoadPngBuffer",
  "VipsForeignLoadNsgifBuffer",
  "VipsForeignLoadWebpBuffer",
  "VipsForeignLoadTiffBuffer",
  "VipsForeignLoadHeifBuffer",
]

/** sharp, with one thread, without caches, and without the loaders that nobody here asks for. Rejects where it is missing. */
export async function loadSharp(): Promise<SharpConstructor> {
  const { default: sharp } = await import("sharp")
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ["VipsForeignLoad"] })
  sharp.unblock({ operation: LOADERS })
  return sharp
}
