/** Names compared with the one asked for: what lies past them in a giant folder is not worth the time. */
const MAX_NAMES_COMPARED = 10_000
/** Longer names are compared up to here; file systems allow 255. */
const MAX_NAME_CHARACTERS = 255
const MAX_NEAR_NAMES = 3

/** Up to 3 of `names` that are likely meant by `asked`, nearest first. Bounded work however many there are. */
export function nearNames(asked: string, names: readonly string[]): string[] {
  return names
    .slice(0, MAX_NAMES_COMPARED)
    .map((name) => ({ name, distance: nameDistance(asked, name) }))
    .filter(({ distance }) => distance !== Number.POSITIVE_INFINITY)
    .sort((a, b) => a.distance - b.distance || compare(a.name, b.name))
    .slice(0, MAX_NEAR_NAMES)
    .map(({ name }) => name)
}

/** Small for a slip: case, accents, look-alike characters, another extension, a line number behind, a typing error. */
function nameDistance(asked: string, name: string): number {
  if (Math.abs(asked.length - name.length) > MAX_NAME_CHARACTERS) return Number.POSITIVE_INFINITY
  const [a, b] = [plain(asked), plain(name)]
  if (a === b) return 0
  if (a.replace(/(?::\d+){1,2}$/, "") === b) return 0.5
  const allowed = Math.min(3, Math.max(1, Math.floor(Math.min(a.length, b.length) / 4)))
  const edits = editDistance(a, b, allowed)
  if (edits <= allowed) return edits
  return stem(a) === stem(b) ? allowed + 1 : Number.POSITIVE_INFINITY
}

function plain(name: string): string {
  return name
    .slice(0, MAX_NAME_CHARACTERS)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\s\u2010-\u2015_-]+/g, "-")
    .toLowerCase()
}

function stem(name: string): string {
  const dot = name.lastIndexOf(".")
  return dot > 0 ? name.slice(0, dot) : name
}

/** Insertions, deletions, substitutions and swaps of neighbours; any number over `most` where there are more. */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (same ? 0 : 1),
        swapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    if (Math.min(...row) > most) return most + 1
    before = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
