import type { Context, ExecutionEnv, HarnessTool, ToolResult } from "../../vendor/pi-harness/index.ts"
import { literalPath, otherSpellings } from "../main/tools/path-spellings.ts"

/**
 * The host's warning for a file that its saved tool output holds, `undefined` for any other. Asked for one absolute path
 * at a time: as it is spelled, and as it resolves. What it throws, the tool throws: nothing is read unjudged.
 */
export type SavedOutputHolds = (path: string, context: Context) => string | undefined | Promise<string | undefined>

/**
 * `tool`, with the host's warning as a first text block of a result whose file is saved output: what a command or a page
 * wrote is not to be taken for the user's words. Judged before the read, by every spelling that the tool may try and
 * what it resolves to then, and once more by what the tool opens; each is enough, so that a link that is re-pointed in
 * between cannot take the warning off. The tool has to read through its environment's `openFileReader`.
 */
export function markingSavedOutput<TParams, TDetails, TResult extends ToolResult<TDetails>>(
  tool: HarnessTool<TParams, TDetails, TResult>,
  holds: SavedOutputHolds,
): HarnessTool<TParams, TDetails, TResult> {
  return {
    ...tool,
    execute: async (id, params, onUpdate, toolContext, invocation, context) => {
      const mark = new Mark(holds, toolContext.env, context)
      await mark.judgeBeforehand(pathIn(params))
      const watched = { ...toolContext, env: mark.watchedEnv() }
      const result = await tool.execute(id, params, onUpdate, watched, invocation, context)
      const { warning } = mark
      return warning === undefined
        ? result
        : { ...result, content: [{ type: "text", text: warning }, ...result.content] }
    },
  }
}

class Mark {
  warning: string | undefined

  constructor(
    private readonly holds: SavedOutputHolds,
    private readonly env: ExecutionEnv,
    private readonly context: Context,
  ) {}

  async judgeBeforehand(path: string | undefined): Promise<void> {
    if (path === undefined) return
    const { expansions, spellings } = otherSpellings(path)
    for (const spelling of new Set([path, literalPath(path), ...expansions, ...spellings])) {
      if (this.warning !== undefined) return
      await this.judgeName(spelling)
    }
  }

  /** The same environment, whose openings are judged as well. */
  watchedEnv(): ExecutionEnv {
    const openFileReader: ExecutionEnv["openFileReader"] = async (path, context) => {
      const opened = await this.env.openFileReader(path, context)
      if (!opened.ok || this.warning !== undefined) return opened
      try {
        const where = await opened.value.realPath?.(context)
        if (where?.ok) await this.ask(where.value)
        else await this.judgeName(path)
      } catch (thrown) {
        await opened.value.close(context)
        throw thrown
      }
      return opened
    }
    return new Proxy(this.env, {
      get(target, name) {
        if (name === "openFileReader") return openFileReader
        const member: unknown = Reflect.get(target, name)
        return typeof member === "function" ? member.bind(target) : member
      },
    })
  }

  private async judgeName(path: string): Promise<void> {
    const canonical = await this.env.canonicalPath(path, this.context)
    // What does not resolve is not read either.
    if (!canonical.ok) return
    await this.ask(canonical.value)
    const absolute = await this.env.absolutePath(path, this.context)
    if (absolute.ok && absolute.value !== canonical.value) await this.ask(absolute.value)
  }

  private async ask(path: string): Promise<void> {
    if (this.warning !== undefined) return
    const warning = await this.holds(path, this.context)
    if (warning !== undefined && warning !== "") this.warning = warning
  }
}

function pathIn(params: unknown): string | undefined {
  if (typeof params !== "object" || params === null || !("path" in params)) return undefined
  return typeof params.path === "string" ? params.path : undefined
}
