import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openFileReader } from "../../../src/main/fs/file-reader.ts"
import type { FileSystemModule } from "../../../src/main/fs/file-system-module.ts"
import { nodeFileSystemModule } from "../../../src/main/fs/file-system-module.ts"
import { createReadTurns } from "../../../src/main/fs/read-turns.ts"
import { FakeClock } from "../../../src/testing/fake-clock.ts"
import type { FileByteReader, FileError, Result } from "../../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, getOrThrow } from "../../../vendor/pi-harness/index.ts"
import { openDescriptors } from "../../support/open-descriptors.ts"

export interface DeadReadFacts {
  /** Calls on dead files that the kernel was asked for. */
  askedOfKernel: number
  /** `fs.promises.stat` answered while they were held. */
  elsewhereAnswers: boolean
  live: string
  /** What their callers were told after 30 s. */
  dead: string[]
  liveAfterwards: string
  descriptorsLeft: number
}

/**
 * Asks for `count` files at once that never answer: FIFOs opened for blocking calls. `dies` says which call of them
 * blocks a thread of this process for real, `open` or `read`. Time is the test's own; threads and kernel are real.
 */
export default async function deadReads(dies: "open" | "read", count: string): Promise<DeadReadFacts> {
  const folder = fs.mkdtempSync(join(tmpdir(), "dead-reads-"))
  const live = join(folder, "live")
  fs.writeFileSync(live, "alive\n")
  const fifos = Array.from({ length: Number(count) }, (_, index) => join(folder, `fifo${index}`))
  execFileSync("mkfifo", fifos)
  const before = openDescriptors()

  const clock = new FakeClock()
  const turns = createReadTurns({ clock })
  const kernel = blockingModule(dies, live)
  const openFile = (path: string) => openFileReader(path, BACKGROUND_CONTEXT, { fs: kernel.module, turns })
  const readFirst = async (path: string): Promise<Result<Uint8Array, FileError>> => {
    const opened = await openFile(path)
    if (!opened.ok) return opened
    const bytes = await opened.value.read(0, 100, BACKGROUND_CONTEXT)
    await opened.value.close(BACKGROUND_CONTEXT)
    return bytes
  }

  const readers: FileByteReader[] = []
  if (dies === "read") for (const fifo of fifos) readers.push(getOrThrow(await openFile(fifo)))
  const pending: Promise<Result<unknown, FileError>>[] =
    dies === "open" ? fifos.map(openFile) : readers.map((reader) => reader.read(0, 100, BACKGROUND_CONTEXT))
  clock.advance(5_000)
  clock.advance(5_000)
  const askedOfKernel = kernel.asked()
  const elsewhereAnswers = await answersSoon(fs.promises.stat(live))
  const liveAnswer = describe(await readFirst(live))
  clock.advance(30_000)
  const dead = (await Promise.all(pending)).map(describe)
  await Promise.all(readers.map((reader) => reader.close(BACKGROUND_CONTEXT)))

  wake(fifos)
  while (kernel.answered() < askedOfKernel) await turnOfTheLoop()
  const liveAfterwards = describe(await readFirst(live))
  while (openDescriptors().length > before.length) await turnOfTheLoop()
  fs.rmSync(folder, { recursive: true })
  const descriptorsLeft = openDescriptors().length - before.length
  return { askedOfKernel, elsewhereAnswers, live: liveAnswer, dead, liveAfterwards, descriptorsLeft }
}

/** A module in which a FIFO passes for a regular file, and blocks a thread at its open or at each read. */
function blockingModule(dies: "open" | "read", regularFile: string) {
  const regular = fs.statSync(regularFile, { bigint: true })
  const fifoDescriptors = new Set<number>()
  let asked = 0
  let answered = 0
  const module: FileSystemModule = {
    ...nodeFileSystemModule,
    open(path, flags, mode, callback) {
      if (!path.includes("fifo")) return nodeFileSystemModule.open(path, flags, mode, callback)
      const blocks = dies === "open"
      if (blocks) asked++
      // Opened for writing as well, a FIFO opens at once, and a read of it waits for ever.
      fs.open(path, blocks ? fs.constants.O_RDONLY : fs.constants.O_RDWR, (error, fd) => {
        if (blocks) answered++
        if (!error) fifoDescriptors.add(fd)
        callback(error, fd)
      })
    },
    fstat(fd, options, callback) {
      if (fifoDescriptors.has(fd)) setImmediate(() => callback(null, regular))
      else nodeFileSystemModule.fstat(fd, options, callback)
    },
    read(fd, buffer, offset, length, position, callback) {
      if (!fifoDescriptors.has(fd)) return nodeFileSystemModule.read(fd, buffer, offset, length, position, callback)
      asked++
      fs.read(fd, buffer, offset, length, null, (error, bytes) => {
        answered++
        callback(error, bytes)
      })
    },
    close(fd, callback) {
      fifoDescriptors.delete(fd)
      nodeFileSystemModule.close(fd, callback)
    },
  }
  return { module, asked: () => asked, answered: () => answered }
}

/** Lets every call that blocks on one of the FIFOs come back, without a thread for it. */
function wake(fifos: string[]): void {
  for (const fifo of fifos) {
    try {
      const writer = fs.openSync(fifo, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK)
      fs.writeSync(writer, "late\n")
      fs.closeSync(writer)
    } catch (error) {
      // ENXIO: nobody reads this one, so no call blocks on it.
      if (!(error instanceof Error && "code" in error && error.code === "ENXIO")) throw error
    }
  }
}

/** 20 s stand for "at all": a process whose threads are all held never answers. */
function answersSoon(answer: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), 20_000)
    void answer.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function describe(result: Result<unknown, FileError>): string {
  if (!result.ok) return result.error.message
  return result.value instanceof Uint8Array ? new TextDecoder().decode(result.value) : "opened"
}
