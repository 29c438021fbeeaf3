import type { FileErrorCode } from "../../../vendor/pi-harness/index.ts"
import { FileError } from "../../../vendor/pi-harness/index.ts"

/** What each errno means to a caller. The words are for a model: they say what is wrong, the path follows. */
const MEANINGS: Readonly<Record<string, readonly [FileErrorCode, string]>> = {
  ENOENT: ["not_found", "No such file or directory"],
  EACCES: ["permission_denied", "Permission denied"],
  EPERM: ["permission_denied", "Operation not permitted"],
  EROFS: ["permission_denied", "The file system is read-only"],
  ENOTDIR: ["not_directory", "A part of the path is not a directory"],
  EISDIR: ["is_directory", "Is a directory"],
  EINVAL: ["invalid", "The operating system refuses the argument"],
  EEXIST: ["unknown", "Something stands there already"],
  ENOTEMPTY: ["unknown", "The directory is not empty"],
  ENAMETOOLONG: ["invalid", "The path is too long"],
  ELOOP: ["invalid", "The symlinks of the path go in a circle"],
  EXDEV: ["unknown", "Source and destination are on different file systems"],
  ERR_INVALID_ARG_VALUE: ["invalid", "The path holds a NUL character"],
  ERR_INVALID_ARG_TYPE: ["invalid", "An argument has the wrong type"],
  ERR_OUT_OF_RANGE: ["invalid", "An argument is out of range"],
  ENOSYS: ["not_supported", "The file system does not support this"],
  ENOTSUP: ["not_supported", "The file system does not support this"],
  EOPNOTSUPP: ["not_supported", "The file system does not support this"],
  EAGAIN: ["unknown", "No data is available now, try again later"],
  EWOULDBLOCK: ["unknown", "No data is available now, try again later"],
  EBUSY: ["unknown", "In use by another program, try again later"],
  ETXTBSY: ["unknown", "In use by another program, try again later"],
  EMFILE: ["unknown", "This process has too many files open, try again later"],
  ENFILE: ["unknown", "The system has too many files open, try again later"],
  ENOSPC: ["unknown", "No space is left on the device"],
  EDQUOT: ["unknown", "The disk quota is used up"],
  EFBIG: ["unknown", "The file is too large for its file system"],
  EIO: ["unknown", "The device failed to answer (input/output error)"],
  ESTALE: ["unknown", "The network file system has lost the file (stale handle)"],
  ETIMEDOUT: ["unknown", "The file system did not answer in time"],
  ENODEV: ["unknown", "No such device"],
  ENXIO: ["unknown", "No such device or address"],
}

/**
 * Any failure of a file-system call as a {@link FileError}: the one mapper of this package. `path` is what was asked
 * for. What is a FileError already is returned as it is; an unknown errno keeps the system's own words.
 */
export function toFileError(error: Error, path?: string): FileError {
  if (error instanceof FileError) return error
  const errno = errnoOf(error)
  if (errno === "ABORT_ERR" || error.name === "AbortError") return abortedError(path, error)
  const meaning = errno !== undefined && Object.hasOwn(MEANINGS, errno) ? MEANINGS[errno] : undefined
  if (meaning === undefined) return new FileError("unknown", error.message, path, error)
  const [code, words] = meaning
  return new FileError(code, `${words}: ${path ?? error.message} (${errno})`, path, error)
}

/** The failure of a call whose context was aborted. */
export function abortedError(path?: string, cause?: Error): FileError {
  return new FileError("aborted", path === undefined ? "Aborted" : `Aborted: ${path}`, path, cause)
}

/** `ENOENT` and the like, where the error has one. */
export function errnoOf(error: Error): string | undefined {
  const code: unknown = "code" in error ? error.code : undefined
  return typeof code === "string" ? code : undefined
}
