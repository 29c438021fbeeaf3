import type { BigIntStats } from "node:fs"
import type { Context, FileByteReader, FileReaderInfo, Result } from "../../../vendor/pi-harness/index.ts"
import { err, FileError, ok } from "../../../vendor/pi-harness/index.ts"
import { READ_CHUNK_BYTES } from "../limits.ts"
import type { Descriptor, FileCalls } from "./descriptor.ts"
import { nodeFileSystemModule } from "./file-system-module.ts"
import { identityOf, PLATFORM_NAMES_OPEN_FILES, pathOfOpenFile } from "./open-file-path.ts"
import { openFiles } from "./open-files.ts"
import type { OpenRegularFile } from "./open-regular-file.ts"
import { openRegularFile } from "./open-regular-file.ts"
import { misuseOfRead } from "./read-arguments.ts"
import { readTurns } from "./read-turns.ts"

/**
 * Opens a regular file for bounded reads by position. `path` may be relative to the process's working directory. The
 * file's place among the process's open files is given back by `close`, which the caller owes.
 *
 * A directory is `is_directory`; a FIFO, device or socket is `invalid` and named. Never throws or rejects; on abort it
 * settles at once, and a descriptor that comes late is closed.
 */
export async function openFileReader(
  path: string,
  context: Context,
  calls: Partial<FileCalls> = {},
): Promise<Result<FileByteReader, FileError>> {
  const fileCalls: FileCalls = {
    fs: calls.fs ?? nodeFileSystemModule,
    turns: calls.turns ?? readTurns,
    openFiles: calls.openFiles ?? openFiles,
  }
  const opened = await openRegularFile(path, context, fileCalls)
  return opened.ok ? ok(new DescriptorReader(opened.value, fileCalls)) : opened
}

class DescriptorReader implements FileByteReader {
  readonly info: FileReaderInfo
  readonly realPath?: (context: Context) => Promise<Result<string, FileError>>

  private readonly descriptor: Descriptor

  constructor({ descriptor, stats, link }: OpenRegularFile, calls: FileCalls) {
    this.descriptor = descriptor
    this.info = readerInfo(descriptor.path, stats)
    if (!PLATFORM_NAMES_OPEN_FILES) return
    let asked = link
    this.realPath = (context) => {
      const answer = pathOfOpenFile(descriptor, asked, this.info.identity, calls, context)
      asked = undefined
      return answer
    }
  }

  /** At most {@link READ_CHUNK_BYTES} at a time, whatever was asked for: a read holds up the others' turns. */
  read(position: number, length: number, context: Context, into?: Uint8Array): Promise<Result<Uint8Array, FileError>> {
    const misuse = misuseOfRead(position, length, into)
    if (misuse !== undefined) return Promise.resolve(err(new FileError("invalid", misuse, this.info.path)))
    const bounded = Math.min(length, READ_CHUNK_BYTES)
    if (into === undefined) return this.descriptor.read(new Uint8Array(bounded), position, context)
    return this.descriptor.read(into.byteLength === bounded ? into : into.subarray(0, bounded), position, context)
  }

  async refresh(context: Context): Promise<Result<FileReaderInfo, FileError>> {
    const stats = await this.descriptor.fstat(context)
    return stats.ok ? ok(readerInfo(this.info.path, stats.value)) : stats
  }

  async close(context: Context): Promise<void> {
    await this.descriptor.close(context)
  }
}

function readerInfo(path: string, stats: BigIntStats): FileReaderInfo {
  return {
    path,
    size: countOf(stats.size),
    mtimeMs: millisecondsOf(stats.mtimeNs),
    identity: identityOf(stats),
    links: countOf(stats.nlink),
    mtimeNs: stats.mtimeNs,
    ctimeNs: stats.ctimeNs,
  }
}

/** A sparse file may claim more than a number can count, and a FUSE file system anything. */
function countOf(size: bigint): number {
  if (size < 0n) return 0
  return size > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(size)
}

/** The same number as `mtimeMs` of Node's `Stats`, which keeps fractions. */
function millisecondsOf(nanoseconds: bigint): number {
  const seconds = nanoseconds / 1_000_000_000n
  return Number(seconds) * 1000 + Number(nanoseconds - seconds * 1_000_000_000n) / 1_000_000
}
