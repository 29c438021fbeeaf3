import * as fs from "node:fs"
import type { FileSystemModule } from "./file-system-module.ts"

type ErrnoCallback<T> = (error: NodeJS.ErrnoException | null, value: T) => void
type DoneCallback = (error: NodeJS.ErrnoException | null) => void

/** What {@link FileSystemModule} lacks for a whole environment: functions that look at names and that change things. */
export interface WritableFileSystemModule extends FileSystemModule {
  readonly constants: FileSystemModule["constants"] & {
    readonly O_WRONLY: number
    readonly O_CREAT: number
    readonly O_EXCL: number
    readonly O_TRUNC: number
    readonly O_APPEND: number
  }
  /** At the descriptor's own position: the end of the file where it was opened to append. */
  write(fd: number, buffer: Uint8Array, offset: number, length: number, position: null, callback: CountCallback): void
  lstat(path: string, callback: ErrnoCallback<fs.Stats>): void
  readdir(path: string, callback: ErrnoCallback<string[]>): void
  readonly realpath: { native(path: string, callback: ErrnoCallback<string>): void }
  mkdir(path: string, options: { recursive: boolean }, callback: DoneCallback): void
  mkdtemp(prefix: string, callback: ErrnoCallback<string>): void
  rename(from: string, to: string, callback: DoneCallback): void
  unlink(path: string, callback: DoneCallback): void
  rmdir(path: string, callback: DoneCallback): void
}

type CountCallback = (error: NodeJS.ErrnoException | null, count: number) => void

export const nodeWritableFileSystemModule: WritableFileSystemModule = fs
