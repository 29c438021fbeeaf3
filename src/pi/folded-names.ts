const PLAIN_ASCII = /^[\x21-\x7e]*$/

/**
 * One part of a path in the form by which two spellings of one name compare equal on the most forgiving of file
 * systems: case and Unicode compatibility forms (`ſ`, full width) do not count, nor do characters without a width, nor
 * dots and spaces at the end, which Windows drops, nor what follows a colon there. Two names may fold to one; a name
 * is never refused for its spelling alone, so that costs nothing but a file called `.env.`.
 */
export function foldName(part: string): string {
  const plain = PLAIN_ASCII.test(part) ? part.toLowerCase() : foldUnicode(part)
  const ended = plain.replace(/[. ]+$/, "")
  return ended === "" ? plain : ended
}

function foldUnicode(part: string): string {
  return part
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC")
}

/** The folded parts of an absolute path, the top of the disk left out. `\` parts a path that begins with no `/`. */
export function foldedParts(path: string): string[] {
  const isWindows = !path.startsWith("/")
  const parts = path.split(isWindows ? /[\\/]/ : "/")
  if (isWindows) parts.shift()
  const folded: string[] = []
  for (const part of parts) {
    if (part !== "" && part !== ".") folded.push(foldName(isWindows ? part.replace(/:.*$/, "") : part))
  }
  return folded
}
