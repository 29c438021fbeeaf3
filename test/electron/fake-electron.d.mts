import type { EventEmitter } from "node:events"
import type { ElectronApp, ElectronUtilityProcessModule } from "../../src/main/electron-ports.ts"

export function createFakeElectron(options?: {
  isReady?: boolean
  launchFails?: boolean
  reportsLaunchFailure?: boolean
}): {
  app: ElectronApp & EventEmitter
  utilityProcess: ElectronUtilityProcessModule
}
