// Compiled against the real upstream package, see vendor/pi-harness/UPSTREAM.md. Every line fails if a shape differs.
import type * as Upstream from "@earendil-works/pi-agent-core"
import type { NodeExecutionEnv as UpstreamEnv } from "@earendil-works/pi-agent-core/node"
import type { NodeExecutionEnv } from "../../../src/main/fs/node-execution-env.ts"
import type * as Ours from "../../../vendor/pi-harness/index.ts"

type UpstreamContext = Parameters<UpstreamEnv["cleanup"]>[0]
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never
type Fits<A, B> = [A] extends [B] ? true : never

export const checks: [
  Fits<NodeExecutionEnv, Upstream.ExecutionEnv>,
  Fits<Upstream.FileSystem, Omit<Ours.FileSystem, "openFileReader">>,
  Fits<UpstreamEnv, Omit<Ours.ExecutionEnv, "openFileReader">>,
  Same<UpstreamContext, Ours.Context>,
  Same<Upstream.FileError, Ours.FileError>,
  Same<Upstream.ExecutionError, Ours.ExecutionError>,
  Same<Upstream.FileInfo, Ours.FileInfo>,
  Same<Upstream.ShellExecOptions, Ours.ShellExecOptions>,
  Same<Upstream.ShellExecResult, Ours.ShellExecResult>,
  Same<Upstream.ShellOutputUpdate, Ours.ShellOutputUpdate>,
  Same<Upstream.TruncationResult, Ours.TruncationResult>,
  Fits<typeof Ours.truncateHead, typeof Upstream.truncateHead>,
  Fits<typeof Ours.applyShellOutputUpdate, typeof Upstream.applyShellOutputUpdate>,
] = [true, true, true, true, true, true, true, true, true, true, true, true, true]
