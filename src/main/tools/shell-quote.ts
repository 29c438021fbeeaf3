/**
 * `path` as one word of a POSIX shell command. Plain names stay as they are; all else is put in single quotes, within
 * which nothing has a meaning. A name that starts with `-` would be an option, so it is given as `./-name`.
 */
export function quoteForShell(path: string): string {
  const word = path.startsWith("-") ? `./${path}` : path
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return `'${word.replaceAll("'", `'\\''`)}'`
}
