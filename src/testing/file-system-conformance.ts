import { execFile } from "node:child_process"
import { symlink } from "node:fs/promises"
import { promisify } from "node:util"
import type { FileSystem } from "../../vendor/pi-harness/index.ts"
import type { ConformanceCase, Subject } from "./conformance/conformance-case.ts"
import { contractCases } from "./conformance/contract-cases.ts"
import { directoryCases } from "./conformance/directory-cases.ts"
import { pathCases } from "./conformance/path-cases.ts"
import { readCases } from "./conformance/read-cases.ts"
import { readerCases } from "./conformance/reader-cases.ts"
import { writeCases } from "./conformance/write-cases.ts"

export interface FileSystemUnderTest {
  fileSystem: FileSystem
  /** An empty folder of it, absolute and canonical, and its `cwd`. */
  root: string
  /** Prepares files where `fileSystem` itself may not write. The same files, by the same names. */
  arrange?: FileSystem
  /** Makes a symlink. Without it the cases about symlinks are left out. */
  makeSymlink?(target: string, path: string): Promise<void>
  /** Makes a FIFO. Without it the cases about special files are left out. */
  makeFifo?(path: string): Promise<void>
  dispose(): Promise<void>
}

export interface FileSystemConformanceOptions {
  /** Whose cases they are; it begins every title. */
  name: string
  /** A new one for each case. */
  create(): Promise<FileSystemUnderTest>
  /** Whether {@link FileSystemUnderTest} has `makeSymlink` and `makeFifo`; true by default. */
  specialFiles?: boolean
  /** Names of methods, or titles of cases without `name`, that do not apply. One that names nothing is an error. */
  skip?: readonly string[]
}

/** One case, for any test runner: `run` rejects where the file system does not conform. */
export interface FileSystemConformanceCase {
  title: string
  /** The methods that it is about. */
  methods: readonly string[]
  run(): Promise<void>
}

const CASES: readonly ConformanceCase[] = [
  ...contractCases,
  ...pathCases,
  ...readCases,
  ...readerCases,
  ...writeCases,
  ...directoryCases,
]

/** What every {@link FileSystem} promises, one case after the other. */
export function fileSystemConformance(options: FileSystemConformanceOptions): FileSystemConformanceCase[] {
  const skip = new Set(options.skip)
  for (const skipped of skip) {
    if (CASES.some((one) => one.title === skipped || one.methods.includes(skipped))) continue
    throw new Error(`No method and no case of the conformance suite is named ${JSON.stringify(skipped)}`)
  }
  const applies = (one: ConformanceCase) =>
    !skip.has(one.title) &&
    !one.methods.some((method) => skip.has(method)) &&
    (options.specialFiles !== false || one.needs === undefined)
  return CASES.filter(applies).map((one) => ({
    title: `${options.name} ${one.title}`,
    methods: one.methods,
    run: () => runCase(one, options),
  }))
}

async function runCase(one: ConformanceCase, options: FileSystemConformanceOptions): Promise<void> {
  const created = await options.create()
  try {
    await one.run(subjectOf(created))
  } finally {
    await created.dispose()
  }
}

function subjectOf(created: FileSystemUnderTest): Subject {
  const missing = (what: string) => () => Promise.reject(new Error(`The file system under test cannot make a ${what}`))
  return {
    fileSystem: created.fileSystem,
    root: created.root,
    arrange: created.arrange ?? created.fileSystem,
    makeSymlink: created.makeSymlink ?? missing("symlink"),
    makeFifo: created.makeFifo ?? missing("FIFO"),
  }
}

/** Symlinks and FIFOs for a file system whose paths are those of this machine. */
export const specialFilesOnDisk: Required<Pick<FileSystemUnderTest, "makeSymlink" | "makeFifo">> = {
  makeSymlink: (target, path) => symlink(target, path),
  makeFifo: async (path) => {
    await promisify(execFile)("mkfifo", [path])
  },
}
