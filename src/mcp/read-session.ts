// As any host would: by what the package exports.
import {
  BACKGROUND_CONTEXT,
  type Context,
  createReadTool,
  type FileError,
  NodeExecutionEnv,
  ok,
  type ReadResult,
  type Result,
  refusingCredentialReads,
  ScopedExecutionEnv,
} from "../main/index.ts"
import { createNodeDocumentExtractor } from "../main/node.ts"

/** The read tool over the files within some folders, credentials among them refused. */
export interface ReadSession {
  description: string
  /** As the tool's `execute`: throws on failure. `onProgress` gets a line of text now and then. */
  read(parameters: unknown, onProgress: (text: string) => void, context: Context): Promise<ReadResult>
  /** Ends whatever the session has started. */
  close(): Promise<void>
}

/**
 * The first root is what relative paths are relative to, unless this process runs in one of them. `warn` is told why no
 * document process came up, where the result can only say that there was none.
 */
export async function openReadSession(
  roots: readonly [string, ...string[]],
  warn: (message: string) => void,
): Promise<Result<ReadSession, FileError>> {
  const [root, ...readRoots] = roots
  const node = new NodeExecutionEnv({ cwd: process.cwd() })
  const scoped = await ScopedExecutionEnv.create(node, { root, readRoots }, BACKGROUND_CONTEXT)
  if (!scoped.ok) return scoped
  const env = refusingCredentialReads(scoped.value)
  const documentExtractor = createNodeDocumentExtractor({ onProcessFailure: warn })
  const tool = createReadTool({ documentExtractor, shell: false })
  return ok({
    description: `${tool.description}\n\n${await foldersInWords(roots, node, env.cwd)}`,
    read: (parameters, onProgress, context) =>
      tool.execute(
        "mcp",
        // What a client sends is checked by the tool, whatever its type says.
        parameters as Parameters<typeof tool.execute>[1],
        ({ content }) => {
          for (const block of content) if (block.type === "text") onProgress(block.text)
        },
        { env },
        undefined,
        context,
      ),
    close: () => documentExtractor.close(),
  })
}

/** For the model, which knows neither where this process was started nor what it was started with. */
async function foldersInWords(roots: readonly string[], env: NodeExecutionEnv, cwd: string): Promise<string> {
  const absolute = await Promise.all(roots.map((root) => env.absolutePath(root, BACKGROUND_CONTEXT)))
  const folders = absolute.map((path, i) => JSON.stringify(path.ok ? path.value : roots[i]))
  return `Only files within these folders can be read: ${folders.join(", ")}. Relative paths are relative to ${JSON.stringify(cwd)}.`
}
