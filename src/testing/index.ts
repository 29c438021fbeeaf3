/** What a host's own tests use: fakes that keep the promises of the real things, and the suite that holds one to them. */

export { FakeDocumentProcess, type PostedMessage } from "./fake-document-process.ts"
export type { FakeFileOptions, FakeFileState, FakeRead, FillBytes } from "./fake-file-byte-reader.ts"
export { FakeFileByteReader } from "./fake-file-byte-reader.ts"
export type {
  FileSystemConformanceCase,
  FileSystemConformanceOptions,
  FileSystemUnderTest,
} from "./file-system-conformance.ts"
export { fileSystemConformance, specialFilesOnDisk } from "./file-system-conformance.ts"
