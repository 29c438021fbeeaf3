import * as fs from "node:fs"

type ErrnoCallback<T> = (error: NodeJS.ErrnoException | null, value: T) => void

/**
 * The callback functions of `node:fs` that this package calls, no more. `node:fs` is one; Electron's `original-fs` is
 * another, which sees an `.asar` archive as the file that it is; tests hand in one that they hold open.
 */
export interface FileSystemModule {
  /** The flags that the platform has. */
  readonly constants: {
    readonly O_RDONLY: number
    readonly O_NONBLOCK?: number
    readonly O_NOCTTY?: number
  }
  open(path: string, flags: number, mode: undefined, callback: ErrnoCallback<number>): void
  fstat(fd: number, options: { bigint: true }, callback: ErrnoCallback<fs.BigIntStats>): void
  stat(path: string, options: { bigint: true }, callback: ErrnoCallback<fs.BigIntStats>): void
  readlink(path: string, callback: ErrnoCallback<string>): void
  read(
    fd: number,
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
    callback: ErrnoCallback<number>,
  ): void
  close(fd: number, callback: (error: NodeJS.ErrnoException | null | undefined) => void): void
}

export const nodeFileSystemModule: FileSystemModule = fs
