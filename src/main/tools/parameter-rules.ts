/** The rules of the parameters as a model reads them after it broke one. `got` is what it sent, shortened. */
export const PARAMETER_RULES = {
  notAnObject: 'The parameters must be an object with a "path".',
  unknownName: (name: string, known: readonly string[]) =>
    `Unknown parameter ${JSON.stringify(name.slice(0, 60))}. The parameters are: ${known.join(", ")}.`,
  path: (got: string) => `"path" must be the path of a file, as a string that is not empty; got ${got}.`,
  pathWithNul: '"path" must not hold the character U+0000.',
  offset: (got: string) =>
    `"offset" must be a line number, 1 or more (below 1 means 1, fractions are cut); got ${got}.`,
  limit: (got: string) =>
    `"limit" must be a number of lines, 0 or more (below 0 means 0, fractions are cut); got ${got}.`,
  column: (got: string) =>
    `"column" must be a byte position in line "offset", 1 or more (below 1 means 1, fractions are cut); got ${got}.`,
  encoding: (got: string) =>
    `"encoding" must be a label of the WHATWG Encoding Standard, such as "gb18030", "shift_jis", "windows-1252" or "utf-16le"; got ${got}.`,
  pages: (got: string) => `"pages" must be page numbers and ranges from 1 on, such as "1-3,7"; got ${got}.`,
  password: '"password" must be a string.',
  region: (got: string) =>
    `"region" must be {x, y, width, height} in pixels, x and y 0 or more, width and height 1 or more; got ${got}.`,
  pdf: (got: string) => `"pdf" must be the path or URL of a PDF, as a string; got ${got}.`,
  pdfs: (got: string) => `"pdfs" must be a list of paths or URLs of PDFs, as strings; got ${got}.`,
  pdfWithNul: 'A path of "pdf" or "pdfs" must not hold the character U+0000.',
  prompt: (got: string) => `"prompt" must be a string; got ${got}.`,
  longPrompt: (most: number) => `"prompt" may have at most ${most} characters.`,
  model: (got: string) => `"model" must be the id of a model, such as "provider/model"; got ${got}.`,
} as const
