import type { Context } from "../../vendor/pi-harness/index.ts"
import { NodeExecutionEnv } from "../main/fs/node-execution-env.ts"
import { createNodeDocumentExtractor } from "../main/node.ts"
import { createReadTool } from "../main/tools/read.ts"
import type { ReadResult } from "../main/tools/read-result.ts"
import type { AskedRead } from "./arguments.ts"

/** The read tool over the files of the user who started the program. */
export interface ReadSession {
  /** As the tool's `execute`: throws on failure. `onProgress` gets a line of text now and then. */
  read(asked: AskedRead, onProgress: (text: string) => void, context: Context): Promise<ReadResult>
  /** Ends whatever the session has started. */
  close(): Promise<void>
}

export interface ReadSessionOptions {
  shell: boolean
  /** Told why no document process came up, where the result can only say that there was none. */
  warn: (message: string) => void
}

export function openReadSession({ shell, warn }: ReadSessionOptions): ReadSession {
  const env = new NodeExecutionEnv({ cwd: process.cwd() })
  // One file is read: no process needs to stand by for the next.
  const documentExtractor = createNodeDocumentExtractor({ maxSpares: 0, onProcessFailure: warn })
  const tool = createReadTool({ shell, documentExtractor })
  return {
    read(asked, onProgress, context) {
      return tool.execute(
        "command-line",
        asked,
        ({ content }) => {
          for (const block of content) if (block.type === "text") onProgress(block.text)
        },
        { env },
        undefined,
        context,
      )
    },
    close: () => documentExtractor.close(),
  }
}
