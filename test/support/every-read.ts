import type { Context, ExecutionEnv, FileError, Result } from "../../vendor/pi-harness/index.ts"
import { ok } from "../../vendor/pi-harness/index.ts"

/** The start of a file, by one way to read it. */
export type Read = (env: ExecutionEnv, path: string, context: Context) => Promise<Result<string, FileError>>

/** Every way to read content that an environment has. */
export const EVERY_READ: Readonly<Record<string, Read>> = {
  readTextFile: (env, path, context) => env.readTextFile(path, context),
  readBinaryFile: async (env, path, context) => {
    const bytes = await env.readBinaryFile(path, context)
    return bytes.ok ? ok(Buffer.from(bytes.value).toString()) : bytes
  },
  readTextLines: async (env, path, context) => {
    const lines = await env.readTextLines(path, { maxLines: 100 }, context)
    return lines.ok ? ok(lines.value.join("\n")) : lines
  },
  openTextLineReader: async (env, path, context) => {
    const reader = await env.openTextLineReader(path, context)
    if (!reader.ok) return reader
    const line = await reader.value.readLine(context)
    await reader.value.close(context)
    return line.ok ? ok(line.value?.text ?? "") : line
  },
  openFileReader: async (env, path, context) => {
    const reader = await env.openFileReader(path, context)
    if (!reader.ok) return reader
    const bytes = await reader.value.read(0, 8192, context)
    await reader.value.close(context)
    return bytes.ok ? ok(Buffer.from(bytes.value).toString()) : bytes
  },
}
