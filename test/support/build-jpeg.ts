import { encode } from "jpeg-js"

export interface JpegOptions {
  width: number
  height: number
  quality?: number
  /** 1 to 8, as an EXIF segment right behind the start. */
  orientation?: number
  /** More bytes in the EXIF segment, as a camera's preview picture takes. */
  previewBytes?: number
  colour: (x: number, y: number) => readonly [number, number, number]
}

/** A baseline JPEG file. */
export function buildJpeg({ width, height, quality = 90, orientation, previewBytes = 0, colour }: JpegOptions): Buffer {
  const data = Buffer.alloc(width * height * 4, 0xff)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) data.set(colour(x, y), (y * width + x) * 4)
  }
  const plain = encode({ data, width, height }, quality).data
  const segments = orientation === undefined ? [] : [exifSegment(orientation, previewBytes)]
  return Buffer.concat([plain.subarray(0, 2), ...segments, plain.subarray(2)])
}

/** An APP1 segment whose first directory holds the orientation and nothing else. */
export function exifSegment(orientation: number, previewBytes = 0): Buffer {
  const tiff = Buffer.alloc(26 + previewBytes)
  tiff.write("II*\0", 0, "latin1")
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(1, 8)
  tiff.writeUInt16LE(0x0112, 10)
  tiff.writeUInt16LE(3, 12)
  tiff.writeUInt32LE(1, 14)
  tiff.writeUInt16LE(orientation, 18)
  return jpegSegment(0xe1, Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]))
}

export function jpegSegment(marker: number, data: Uint8Array): Buffer {
  const segment = Buffer.alloc(4 + data.length)
  segment.set([0xff, marker], 0)
  segment.writeUInt16BE(2 + data.length, 2)
  segment.set(data, 4)
  return segment
}
