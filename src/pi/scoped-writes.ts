import { randomUUID } from "node:crypto"
import type { Context, ExecutionEnv, FileByteReader, Result } from "../../vendor/pi-harness/index.ts"
import { BACKGROUND_CONTEXT, err, FileError, ok } from "../../vendor/pi-harness/index.ts"
import { isSameState } from "../main/fs/file-state.ts"
import { READ_CHUNK_BYTES } from "../main/limits.ts"
import { whereOpened } from "./opened-file.ts"
import { pathRulesOf } from "./path-containment.ts"
import type { Place, Scope } from "./scope.ts"
import { outsideError, placeIn } from "./scope.ts"

type Answer<T> = Promise<Result<T, FileError>>
type Content = string | Uint8Array

/** An append copies the file; when that changes meanwhile it is copied again, so many times. */
const MAX_APPEND_TRIES = 4

/**
 * Changes of files within a scope. A file is written beside its place under a name that cannot be guessed, looked at
 * there, and moved into its place: a link that stands at the name is never followed, and a file that has another name
 * outside keeps its content there. The permission bits of a file that is replaced are not kept.
 */
export class ScopedWrites {
  /** The last change of each path, so that two appends at once do not lose one of them. */
  private readonly last = new Map<string, Promise<unknown>>()

  constructor(
    private readonly inner: ExecutionEnv,
    private readonly scope: Scope,
  ) {}

  /** Makes missing folders above. */
  async write(absolute: string, content: Content, context: Context): Answer<void> {
    const place = await this.placeToWrite(absolute, context)
    if (!place.ok) return place
    return this.inOrder(place.value.path, context, () =>
      this.replace(place.value, context, (temporary) => this.inner.writeFile(temporary, content, context)),
    )
  }

  /** Costs a copy of the file. */
  async append(absolute: string, content: Content, context: Context): Answer<void> {
    const place = await this.placeToWrite(absolute, context)
    if (!place.ok) return place
    return this.inOrder(place.value.path, context, async () => {
      for (let tries = 1; ; tries++) {
        const appended = await this.appendOnce(place.value, content, context)
        if (appended !== "changed") return appended
        const { path } = place.value
        if (tries === MAX_APPEND_TRIES) return err(new FileError("unknown", `Changes all the time: ${absolute}`, path))
      }
    })
  }

  /** The folder at `absolute` and all above it that are missing, one after the other, each looked at when it is made. */
  async makeFolders(absolute: string, context: Context): Answer<string> {
    const rules = pathRulesOf(absolute)
    const missing: string[] = []
    let at = absolute
    let folder = await this.scope.resolve(at, "write", context)
    while (!folder.ok) {
      if (folder.error.code !== "not_found") return folder
      missing.unshift(rules.basename(at))
      at = rules.dirname(at)
      folder = await this.scope.resolve(at, "write", context)
    }
    let canonical = folder.value
    for (const name of missing) {
      const next = placeIn(canonical, name).path
      const made = await this.inner.createDir(next, { recursive: false }, context)
      // One that stands there already, because another call made it, is as good if it is a folder.
      const stands = await this.scope.stillStands(next, "write", context)
      if (!stands.ok) return made.ok || stands.error.code === "permission_denied" ? stands : made
      canonical = next
    }
    return ok(canonical)
  }

  private async placeToWrite(absolute: string, context: Context): Answer<Place> {
    const rules = pathRulesOf(absolute)
    if (this.scope.isFolderItself(absolute)) return err(new FileError("is_directory", `Is a directory: ${absolute}`))
    let place = await this.scope.place(absolute, "write", context)
    if (!place.ok && place.error.code === "not_found") {
      const folder = await this.makeFolders(rules.dirname(absolute), context)
      if (!folder.ok) return folder
      place = ok(placeIn(folder.value, rules.basename(absolute)))
    }
    if (!place.ok) return place
    let stands = await this.inner.fileInfo(place.value.path, context)
    if (stands.ok && stands.value.kind === "symlink") {
      // What it leads to is written by its own name: from here on no link is followed.
      const target = await this.scope.resolve(place.value.path, "write", context)
      if (!target.ok) return target.error.code === "not_found" ? err(outsideError(absolute, "write")) : target
      place = ok(placeIn(rules.dirname(target.value), rules.basename(target.value)))
      stands = await this.inner.fileInfo(target.value, context)
    }
    if (!stands.ok) return stands.error.code === "not_found" ? place : stands
    if (stands.value.kind === "file") return place
    if (stands.value.kind === "symlink") return err(outsideError(absolute, "write"))
    return err(new FileError("is_directory", `Is a directory: ${absolute}`, absolute))
  }

  private async replace(
    place: Place,
    context: Context,
    fill: (temporary: string) => Answer<void>,
    isCurrent: () => Answer<boolean> = async () => ok(true),
  ): Promise<Result<void, FileError> & { outdated?: boolean }> {
    const temporary = placeIn(place.folder, `.bounded-read-${randomUUID()}.tmp`).path
    const filled = await fill(temporary)
    const judged = filled.ok ? await this.judgeTemporary(temporary, context) : filled
    const stands = judged.ok ? await this.scope.stillStands(place.folder, "write", context) : judged
    const current = stands.ok ? await isCurrent() : stands
    if (current.ok && current.value) {
      const renamed = await this.inner.renameFile(temporary, place.path, context)
      if (renamed.ok) return renamed
      await this.inner.remove(temporary, { force: true }, BACKGROUND_CONTEXT)
      return renamed
    }
    await this.inner.remove(temporary, { force: true }, BACKGROUND_CONTEXT)
    return current.ok ? { ...ok(undefined), outdated: true } : current
  }

  /** What was written has to be where it was to be: the folder may have been swapped for a link just before. */
  private async judgeTemporary(temporary: string, context: Context): Answer<void> {
    const opened = await this.inner.openFileReader(temporary, context)
    if (!opened.ok) return opened
    const where = await whereOpened(opened.value, temporary, this.inner, context)
    await opened.value.close(context)
    if (!where.ok) return where
    return where.value === temporary ? ok(undefined) : err(outsideError(temporary, "write"))
  }

  private async appendOnce(
    place: Place,
    content: Content,
    context: Context,
  ): Promise<Result<void, FileError> | "changed"> {
    const opened = await this.inner.openFileReader(place.path, context)
    if (!opened.ok) {
      if (opened.error.code !== "not_found") return opened
      return this.replace(place, context, (temporary) => this.inner.writeFile(temporary, content, context))
    }
    const reader = opened.value
    try {
      const where = await whereOpened(reader, place.path, this.inner, context)
      if (!where.ok) return where
      if (where.value !== place.path) return err(outsideError(place.path, "write"))
      const fill = async (temporary: string): Answer<void> => {
        const copied = await this.copy(reader, temporary, context)
        return copied.ok ? this.inner.appendFile(temporary, content, context) : copied
      }
      const replaced = await this.replace(place, context, fill, () => isUnchanged(reader, context))
      return replaced.ok && replaced.outdated ? "changed" : replaced
    } finally {
      await reader.close(context)
    }
  }

  private async copy(reader: FileByteReader, temporary: string, context: Context): Answer<void> {
    let position = 0
    let written = await this.inner.writeFile(temporary, "", context)
    while (written.ok) {
      const chunk = await reader.read(position, READ_CHUNK_BYTES, context)
      if (!chunk.ok) return chunk
      if (chunk.value.byteLength === 0) return ok(undefined)
      position += chunk.value.byteLength
      written = await this.inner.appendFile(temporary, chunk.value, context)
    }
    return written
  }

  /** An abort settles it at once; `act` then fails when its turn comes, because its calls are aborted as well. */
  private inOrder(path: string, context: Context, act: () => Answer<void>): Answer<void> {
    const before = this.last.get(path)
    if (before === undefined) return this.keepLast(path, act())
    const turn = this.keepLast(path, before.then(act))
    const signal = context.abortSignal
    if (signal === undefined) return turn
    return new Promise((resolve) => {
      const onAbort = () => resolve(err(new FileError("aborted", `Aborted: ${path}`, path)))
      if (signal.aborted) onAbort()
      signal.addEventListener("abort", onAbort, { once: true })
      void turn.then((result) => {
        signal.removeEventListener("abort", onAbort)
        resolve(result)
      })
    })
  }

  private keepLast(path: string, turn: Answer<void>): Answer<void> {
    this.last.set(path, turn)
    void turn.then(() => {
      if (this.last.get(path) === turn) this.last.delete(path)
    })
    return turn
  }
}

async function isUnchanged(reader: FileByteReader, context: Context): Answer<boolean> {
  if (reader.refresh === undefined) return ok(true)
  const now = await reader.refresh(context)
  return now.ok ? ok(isSameState(now.value, reader.info)) : now
}
