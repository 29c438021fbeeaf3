/** Where browsers built on Chromium keep their profiles. */
export const CHROMIUM_FOLDERS = [
  ".config/google-chrome",
  ".config/chromium",
  ".config/BraveSoftware/Brave-Browser",
  ".config/microsoft-edge",
  ".config/vivaldi",
  "snap/chromium/common/chromium",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Chromium",
  "Library/Application Support/BraveSoftware/Brave-Browser",
  "Library/Application Support/Microsoft Edge",
  "Library/Application Support/Arc/User Data",
  "AppData/Local/Google/Chrome/User Data",
  "AppData/Local/Chromium/User Data",
  "AppData/Local/BraveSoftware/Brave-Browser/User Data",
  "AppData/Local/Microsoft/Edge/User Data",
]

/** The same of Firefox and its kin. */
export const FIREFOX_FOLDERS = [
  ".mozilla/firefox",
  "snap/firefox/common/.mozilla/firefox",
  ".librewolf",
  "Library/Application Support/Firefox/Profiles",
  "AppData/Roaming/Mozilla/Firefox/Profiles",
]

/** Every one of the names in every one of the folders. */
export const each = (folders: readonly string[], names: readonly string[]) =>
  folders.flatMap((folder) => names.map((name) => `${folder}/${name}`))
