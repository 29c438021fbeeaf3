/** Every reason a file operation can fail, whatever stands behind the {@link FileSystem}. */
export type FileErrorCode =
  | "aborted"
  | "not_found"
  | "permission_denied"
  | "not_directory"
  | "is_directory"
  | "invalid"
  | "not_supported"
  | "unknown"

/** The failure of a file operation. `path` is the absolute path that was asked for, where there is one. */
export class FileError extends Error {
  readonly code: FileErrorCode
  readonly path?: string

  constructor(code: FileErrorCode, message: string, path?: string, cause?: Error) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = "FileError"
    this.code = code
    if (path !== undefined) this.path = path
  }
}

/** Every reason a command can fail to run to its end. A non-zero exit code is not one of them. */
export type ExecutionErrorCode =
  | "aborted"
  | "timeout"
  | "shell_unavailable"
  | "spawn_error"
  | "callback_error"
  | "unknown"

/** The failure of {@link Shell.exec}. */
export class ExecutionError extends Error {
  readonly code: ExecutionErrorCode

  constructor(code: ExecutionErrorCode, message: string, cause?: Error) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = "ExecutionError"
    this.code = code
  }
}
