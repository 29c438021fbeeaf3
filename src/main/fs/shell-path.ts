import { delimiter, isAbsolute, join } from "node:path"
import type { Context, Result } from "../../../vendor/pi-harness/index.ts"
import { ExecutionError, err, ok } from "../../../vendor/pi-harness/index.ts"
import type { EnvironmentCalls } from "./environment-calls.ts"

/**
 * The shell that commands are handed to: the one that was asked for, or bash, or on POSIX whatever `sh` is. A wish must
 * be an absolute path.
 */
export async function findShell(
  wish: string | undefined,
  context: Context,
  calls: EnvironmentCalls,
): Promise<Result<string, ExecutionError>> {
  if (wish !== undefined) {
    if (isAbsolute(wish) && (await isFile(wish, context, calls))) return ok(wish)
    return err(new ExecutionError("shell_unavailable", `No shell at ${wish}`))
  }
  for (const candidate of process.platform === "win32" ? windowsCandidates() : posixCandidates()) {
    if (await isFile(candidate, context, calls)) return ok(candidate)
  }
  return err(new ExecutionError("shell_unavailable", "No shell found: neither bash nor sh"))
}

function posixCandidates(): string[] {
  return ["/bin/bash", ...onPath("bash"), "/bin/sh", ...onPath("sh")]
}

/** Git for Windows brings a bash; the one of System32 would run the command in another system. */
function windowsCandidates(): string[] {
  const programs = [process.env.ProgramFiles, process.env["ProgramFiles(x86)"]]
  const git = programs.flatMap((folder) => (folder === undefined ? [] : [join(folder, "Git", "bin", "bash.exe")]))
  return [...git, ...onPath("bash.exe").filter((path) => !/[\\/]system32[\\/]/i.test(path))]
}

function onPath(name: string): string[] {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder))
  return folders.map((folder) => join(folder, name))
}

async function isFile(path: string, context: Context, calls: EnvironmentCalls): Promise<boolean> {
  const stats = await calls.turns.run<{ isFile(): boolean }>((done) => calls.fs.stat(path, { bigint: true }, done), {
    context,
    path,
  })
  return stats.ok && stats.value.isFile()
}
