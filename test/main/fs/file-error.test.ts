import { describe, expect, it } from "vitest"
import { toFileError } from "../../../src/main/fs/file-error.ts"
import { FileError } from "../../../vendor/pi-harness/index.ts"

describe("the mapper of file errors", () => {
  it.each([
    ["ENOENT", "not_found", "No such file or directory: /a/b (ENOENT)"],
    ["EACCES", "permission_denied", "Permission denied: /a/b (EACCES)"],
    ["EPERM", "permission_denied", "Operation not permitted: /a/b (EPERM)"],
    ["ENOTDIR", "not_directory", "A part of the path is not a directory: /a/b (ENOTDIR)"],
    ["EISDIR", "is_directory", "Is a directory: /a/b (EISDIR)"],
    ["EINVAL", "invalid", "The operating system refuses the argument: /a/b (EINVAL)"],
    ["ENAMETOOLONG", "invalid", "The path is too long: /a/b (ENAMETOOLONG)"],
    ["ENOTSUP", "not_supported", "The file system does not support this: /a/b (ENOTSUP)"],
    ["EAGAIN", "unknown", "No data is available now, try again later: /a/b (EAGAIN)"],
    ["EMFILE", "unknown", "This process has too many files open, try again later: /a/b (EMFILE)"],
    ["EIO", "unknown", "The device failed to answer (input/output error): /a/b (EIO)"],
    ["ABORT_ERR", "aborted", "Aborted: /a/b"],
  ])("takes %s for %s", (errno, code, message) => {
    const cause = Object.assign(new Error("system words"), { code: errno })
    expect(toFileError(cause, "/a/b")).toMatchObject({ name: "FileError", code, message, path: "/a/b", cause })
  })

  it.each(["EWHATEVER", "constructor", "__proto__"])(
    "keeps the system's words of what it does not know: %s",
    (errno) => {
      const cause = Object.assign(new Error("system words"), { code: errno })
      expect(toFileError(cause, "/a")).toMatchObject({ code: "unknown", message: "system words", path: "/a" })
    },
  )

  it("names the system's words where there is no path", () => {
    const cause = Object.assign(new Error("EBADF: bad thing"), { code: "EISDIR" })
    expect(toFileError(cause)).toMatchObject({ message: "Is a directory: EBADF: bad thing (EISDIR)" })
    expect(toFileError(cause).path).toBeUndefined()
  })

  it("leaves one that is mapped already as it is", () => {
    const error = new FileError("invalid", "words", "/a")
    expect(toFileError(error, "/b")).toBe(error)
  })

  it("copes with a code that is no string", () => {
    expect(toFileError(Object.assign(new Error("odd"), { code: 5 }), "/a")).toMatchObject({ code: "unknown" })
  })
})
