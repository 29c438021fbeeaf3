import { sniffZip } from "./zip-contents.ts"

/** A byte pattern at a fixed place: Latin-1 text, or numbers with -1 for any byte. */
interface Signature {
  at?: number
  bytes: string | readonly number[]
  name: string
}

/** What its directory tells apart: old Office files, encrypted new ones, mails, installers. */
export const OLE_FILE = "a legacy Office document (OLE)"

/** In the order in which they are tried: longer and surer ones first where several begin alike. */
const SIGNATURES: readonly Signature[] = [
  { bytes: [0x1f, 0x8b, 8], name: "gzip-compressed data" },
  { at: 4, bytes: "1AY&SY", name: "bzip2-compressed data" },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], name: "xz-compressed data" },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], name: "Zstandard-compressed data" },
  { bytes: [0x04, 0x22, 0x4d, 0x18], name: "LZ4-compressed data" },
  { bytes: "LZIP", name: "lzip-compressed data" },
  { bytes: [0x1f, 0x9d], name: "compress'd data" },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], name: "a 7z archive" },
  { bytes: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07], name: "a RAR archive" },
  { bytes: "MSCF\0\0\0\0", name: "a Microsoft cabinet archive" },
  { bytes: "xar!", name: "an XAR archive" },
  { bytes: "!<arch>\n", name: "a Unix archive (ar)" },
  { at: 257, bytes: "ustar", name: "a tar archive" },
  { bytes: [0xed, 0xab, 0xee, 0xdb], name: "an RPM package" },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], name: OLE_FILE },
  { bytes: [0x7f, 0x45, 0x4c, 0x46], name: "an ELF executable or library" },
  { bytes: [0xfe, 0xed, 0xfa, 0xce], name: "a Mach-O executable or library" },
  { bytes: [0xfe, 0xed, 0xfa, 0xcf], name: "a Mach-O executable or library" },
  { bytes: [0xce, 0xfa, 0xed, 0xfe], name: "a Mach-O executable or library" },
  { bytes: [0xcf, 0xfa, 0xed, 0xfe], name: "a Mach-O executable or library" },
  { bytes: "\0asm", name: "a WebAssembly module" },
  { bytes: "dex\n", name: "an Android executable (DEX)" },
  { bytes: "SQLite format 3\0", name: "an SQLite database" },
  { at: 4, bytes: "Standard Jet DB", name: "a Microsoft Access database" },
  { at: 4, bytes: "Standard ACE DB", name: "a Microsoft Access database" },
  { bytes: "PAR1", name: "a Parquet file" },
  { bytes: "ARROW1\0\0", name: "an Arrow file" },
  { bytes: [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a], name: "an HDF5 file" },
  { bytes: [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59], name: "a NumPy array" },
  { bytes: "GGUF", name: "a GGUF model" },
  { bytes: "bplist0", name: "a binary property list" },
  { bytes: "ID3", name: "an MP3 audio file" },
  { bytes: [0xff, 0xfb], name: "an MP3 audio file" },
  { bytes: [0xff, 0xf3], name: "an MP3 audio file" },
  { bytes: [0xff, 0xf1], name: "an AAC audio file" },
  { bytes: [0xff, 0xf9], name: "an AAC audio file" },
  { bytes: "fLaC", name: "a FLAC audio file" },
  { bytes: "OggS", name: "an Ogg media file" },
  { bytes: "MThd", name: "a MIDI file" },
  { bytes: [0x52, 0x49, 0x46, 0x46, -1, -1, -1, -1, 0x57, 0x41, 0x56, 0x45], name: "a WAV audio file" },
  { bytes: [0x52, 0x49, 0x46, 0x46, -1, -1, -1, -1, 0x41, 0x56, 0x49, 0x20], name: "an AVI video file" },
  { bytes: [0x46, 0x4f, 0x52, 0x4d, -1, -1, -1, -1, 0x41, 0x49, 0x46, 0x46], name: "an AIFF audio file" },
  { at: 4, bytes: "ftypM4A", name: "an MPEG-4 audio file (M4A)" },
  { at: 4, bytes: "ftypqt", name: "a QuickTime video file" },
  { at: 4, bytes: "ftyp", name: "an MP4 media file" },
  { bytes: [0x1a, 0x45, 0xdf, 0xa3], name: "a Matroska or WebM media file" },
  { bytes: "FLV\x01", name: "a Flash video file" },
  { bytes: [0, 0, 1, 0xba], name: "an MPEG video file" },
  { bytes: [0, 0, 1, 0xb3], name: "an MPEG video file" },
  { bytes: [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11], name: "a Windows Media file" },
  { bytes: "wOFF", name: "a WOFF font" },
  { bytes: "wOF2", name: "a WOFF2 font" },
  { bytes: "OTTO", name: "an OpenType font" },
  { bytes: "ttcf", name: "a font collection" },
  { bytes: [0, 1, 0, 0, 0], name: "a TrueType font" },
  { bytes: "8BPS", name: "a Photoshop document" },
  { bytes: "AC10", name: "an AutoCAD drawing" },
  { bytes: "glTF", name: "a glTF model" },
  { bytes: "ITSF", name: "a compiled HTML help file" },
  { at: 60, bytes: "BOOKMOBI", name: "a Kindle book (MOBI)" },
  { bytes: [0x4c, 0, 0, 0, 1, 0x14, 2, 0], name: "a Windows shortcut" },
  { bytes: [0xd4, 0xc3, 0xb2, 0xa1], name: "a packet capture" },
  { bytes: [0xa1, 0xb2, 0xc3, 0xd4], name: "a packet capture" },
  { bytes: [0x0a, 0x0d, 0x0d, 0x0a], name: "a packet capture" },
  { bytes: "DIRC\0", name: "a Git index" },
  { bytes: "PACK\0\0\0", name: "a Git pack" },
  { bytes: "hsqs", name: "a SquashFS image" },
  { bytes: "MDMP", name: "a Windows crash dump" },
  { bytes: [0xac, 0xed, 0, 5], name: "serialized Java objects" },
]

/** As in "Looks like a ZIP archive", where the signature is known. For files that are not text anyway. */
export function nameBinary(head: Uint8Array): string | undefined {
  const zip = sniffZip(head)
  if (zip !== undefined) return zip.name
  if (matches(head, 0, [0xca, 0xfe, 0xba, 0xbe])) return nameCafeBabe(head)
  if (matches(head, 0, [0x4d, 0x5a])) return "a Windows or DOS executable"
  return SIGNATURES.find(({ at = 0, bytes }) => matches(head, at, bytes))?.name
}

/**
 * As {@link nameBinary}, for a head without a NUL that is not UTF-8: small compressed files have none. Only signatures
 * count with which no text in another encoding begins.
 */
export function nameBinaryWithoutNul(head: Uint8Array): string | undefined {
  const zip = sniffZip(head)
  if (zip !== undefined) return zip.name
  return SURE_SIGNATURES.find(({ at = 0, bytes }) => matches(head, at, bytes))?.name
}

const SURE_SIGNATURES = SIGNATURES.filter(
  ({ bytes }) => bytes.length >= 6 || (typeof bytes !== "string" && bytes.length >= 4 && bytes.every((it) => it >= 0)),
)

/** Java took the magic number of Mach-O's fat binaries; these hold few architectures, class files have versions from 45. */
function nameCafeBabe(head: Uint8Array): string {
  const count = ((head[4] ?? 0) << 24) | ((head[5] ?? 0) << 16) | ((head[6] ?? 0) << 8) | (head[7] ?? 0)
  return count > 0 && count < 40 ? "a Mach-O executable or library" : "a Java class file"
}

function matches(head: Uint8Array, at: number, bytes: string | readonly number[]): boolean {
  if (at + bytes.length > head.length) return false
  for (let i = 0; i < bytes.length; i++) {
    const expected = typeof bytes === "string" ? bytes.charCodeAt(i) : bytes[i]
    if (expected !== -1 && expected !== head[at + i]) return false
  }
  return true
}
