const SECTOR = 512
const END_OF_CHAIN = 0xffff_fffe
const FREE = 0xffff_ffff
const ENTRIES_PER_SECTOR = 4

export interface OleOptions {
  /** Sectors of nothing before the directory, as a file has whose content was written first. */
  sectorsBefore?: number
  /** The sector that follows the last one of the directory, in place of an end. */
  afterDirectory?: number
  sectorShift?: number
}

/** An OLE container with streams of these names and no content: header, directory, and one sector of FAT at the end. */
export function buildOle(streams: readonly string[], options: OleOptions = {}): Buffer {
  const { sectorsBefore = 0, afterDirectory = END_OF_CHAIN, sectorShift = 9 } = options
  const names = ["Root Entry", ...streams]
  const sectors = Math.ceil(names.length / ENTRIES_PER_SECTOR)
  const fatSector = sectorsBefore + sectors
  const header = Buffer.alloc(SECTOR)
  header.write("d0cf11e0a1b11ae1", "hex")
  header.writeUInt16LE(0x3e, 24)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(sectorShift, 30)
  header.writeUInt32LE(1, 44)
  header.writeUInt32LE(sectorsBefore, 48)
  header.fill(0xff, 76)
  header.writeUInt32LE(fatSector, 76)
  const directory = Buffer.alloc(sectors * SECTOR)
  for (const [i, name] of names.entries()) {
    const at = i * (SECTOR / ENTRIES_PER_SECTOR)
    directory.write(name, at, "utf16le")
    directory.writeUInt16LE((name.length + 1) * 2, at + 64)
  }
  const fat = Buffer.alloc(SECTOR)
  for (let i = 0; i < SECTOR / 4; i++) {
    const inDirectory = i >= sectorsBefore && i < fatSector
    const next = i === fatSector - 1 ? afterDirectory : i + 1
    fat.writeUInt32LE(inDirectory ? next : FREE, i * 4)
  }
  return Buffer.concat([header, Buffer.alloc(sectorsBefore * SECTOR), directory, fat])
}
