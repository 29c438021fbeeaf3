import { DocumentChild, endProcess } from "./document-child.ts"
import { openParentChannel } from "./parent-channel.ts"
import { startWatchdog } from "./process-watchdog.ts"

// The document process: one job, then the end. It reaches no disk, no network and no other process.
process.on("uncaughtException", endProcess)
process.on("unhandledRejection", endProcess)
const watchdog = startWatchdog()
const channel = openParentChannel()
if (channel === undefined) endProcess()
else new DocumentChild(channel, watchdog, new URL("./document-thread.js", import.meta.url))
