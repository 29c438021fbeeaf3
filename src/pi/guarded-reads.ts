import type { Context, FileByteReader, FileError, Result, TextLineReader } from "../../vendor/pi-harness/index.ts"
import { ok } from "../../vendor/pi-harness/index.ts"
import { FileTextLineReader, readLines } from "../main/fs/text-line-reader.ts"
import { readWholeBytes, readWholeText } from "../main/fs/whole-file-reads.ts"

/** Every way to read a file's content, over one opening: what that refuses, none of them reads. */
export abstract class GuardedReads {
  abstract openFileReader(path: string, context: Context): Promise<Result<FileByteReader, FileError>>

  readTextFile(path: string, context: Context): Promise<Result<string, FileError>> {
    return this.reading(path, context, (reader) => readWholeText(reader, context))
  }

  readTextLines(
    path: string,
    options: { maxLines?: number } | undefined,
    context: Context,
  ): Promise<Result<string[], FileError>> {
    const maxLines = options?.maxLines ?? Number.POSITIVE_INFINITY
    return this.reading(path, context, (reader) => readLines(reader, maxLines, context))
  }

  readBinaryFile(path: string, context: Context): Promise<Result<Uint8Array, FileError>> {
    return this.reading(path, context, (reader) => readWholeBytes(reader, context))
  }

  async openTextLineReader(path: string, context: Context): Promise<Result<TextLineReader, FileError>> {
    const opened = await this.openFileReader(path, context)
    return opened.ok ? ok(new FileTextLineReader(opened.value)) : opened
  }

  private async reading<T>(
    path: string,
    context: Context,
    read: (reader: FileByteReader) => Promise<Result<T, FileError>>,
  ): Promise<Result<T, FileError>> {
    const opened = await this.openFileReader(path, context)
    if (!opened.ok) return opened
    try {
      return await read(opened.value)
    } finally {
      await opened.value.close(context)
    }
  }
}
