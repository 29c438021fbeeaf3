/**
 * Why a path is refused unseen: it names a Windows device, leaves the naming rules of Windows, or names a stream within
 * a file. Judged on the string alone. On other systems only what no program there means is refused: a file may well be
 * called `12:30.log` or `aux.c`.
 *
 * @param windows whether the file system follows Windows' rules
 */
export function refusedSpelling(path: string, windows: boolean): string | undefined {
  const slashes = path.replaceAll("/", "\\")
  if (/^\\\?\?\\|^\\\\[?.]\\/.test(windows ? slashes : path)) return "it names an object of the Windows kernel"
  if (/:\$DATA$/i.test(path)) return "it names a stream within a file"
  if (!windows) return BARE_DEVICE.test(path) ? "it names a Windows device" : undefined
  if (isUrl(path)) return undefined
  const parts = slashes.replace(/^[A-Za-z]:/, "").split("\\")
  if (parts.some(isDevice)) return "it names a Windows device"
  return parts.some((part) => part.includes(":")) ? "it names a stream within a file" : undefined
}

const DEVICE = "CON|PRN|AUX|NUL|CLOCK\\$|CONIN\\$|CONOUT\\$|(?:COM|LPT)[0-9\u00b9\u00b2\u00b3]"
const BARE_DEVICE = new RegExp(`^(?:${DEVICE}):?$`)
/** The name counts up to its first dot or colon, spaces before that left off. */
const DEVICE_NAME = new RegExp(`^ *(?:${DEVICE}) *(?:[.:].*)?$`, "i")

function isDevice(part: string): boolean {
  return DEVICE_NAME.test(part)
}

function isUrl(path: string): boolean {
  return path.startsWith("file://")
}

/** Whether an environment's paths are Windows paths, by its working directory. */
export function hasWindowsPaths(cwd: string): boolean {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(cwd)
}
