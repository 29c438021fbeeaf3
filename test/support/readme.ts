import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The root of the repository. */
export const ROOT = join(import.meta.dirname, "../..")

export const README = readFileSync(join(ROOT, "README.md"), "utf8")

export interface ReadmeBlock {
  language: string
  text: string
  /** The heading above it. */
  section: string
}

/** A heading and what stands below it, up to the next. */
export interface ReadmeSection {
  title: string
  lines: string[]
}

export const SECTIONS: readonly ReadmeSection[] = README.split(/^## /m)
  .slice(1)
  .map((section) => {
    const [title = "", ...lines] = section.trimEnd().split("\n")
    return { title, lines: lines.slice(1) }
  })

export const BLOCKS: readonly ReadmeBlock[] = SECTIONS.flatMap(({ title, lines }) =>
  [...lines.join("\n").matchAll(/^```(\w+)\n(.*?)\n```$/gms)].map(([, language = "", text = ""]) => ({
    language,
    text,
    section: title,
  })),
)

/** The blocks of one language, in one section where it is named. */
export function blocksOf(language: string, section?: string): ReadmeBlock[] {
  return BLOCKS.filter((block) => block.language === language && (section ?? block.section) === block.section)
}

export function blockOf(language: string, section: string, index = 0): string {
  const block = blocksOf(language, section)[index]
  if (block === undefined) throw new Error(`There is no ${language} block ${index} in the section ${section}`)
  return block.text
}
