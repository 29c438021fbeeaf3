// Makes the document that a process practises on, into src/main/documents/engines/pdf-practice-document.ts:
//   node scripts/make-practice-pdf.mjs
// Not part of any test run. Debian: apt-get install --no-install-recommends texlive-latex-base librsvg2-bin fonts-dejavu-core qpdf
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const TARGET = new URL("../src/main/documents/engines/pdf-practice-document.ts", import.meta.url)
const LINE = "The five boxing wizards jump quickly over line"
const folder = mkdtempSync(join(tmpdir(), "practice-pdf-"))
const run = (program, ...args) => execFileSync(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] })
const write = (name, text) => writeFileSync(join(folder, name), text)

try {
  write("typeset.tex", typeset())
  run("pdflatex", "-interaction=batchmode", "typeset.tex")
  write("drawn.svg", drawn())
  run("rsvg-convert", "-f", "pdf", "-o", "drawn.pdf", "drawn.svg")
  write("plain.pdf", plain())
  const smallest = ["--object-streams=generate", "--recompress-flate", "--compression-level=9", "--deterministic-id"]
  run("qpdf", "--empty", "--pages", "typeset.pdf", "drawn.pdf", "plain.pdf", "--", ...smallest, "practice.pdf")
  const base64 = readFileSync(join(folder, "practice.pdf")).toString("base64")
  const lines = [
    "/** Three pages as made by scripts/make-practice-pdf.mjs; base64. Do not edit. */",
    "export const PDF_PRACTICE_DOCUMENT =",
    `  "${base64}"`,
    "",
  ]
  writeFileSync(TARGET, lines.join("\n"))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** By LaTeX: an embedded Type 1 font, kerning, ligatures, words broken at the end of a line. */
function typeset() {
  return String.raw`\documentclass[10pt]{article}
\usepackage[margin=2cm]{geometry}
\pagestyle{empty}\parindent0pt
\begin{document}
\newcount\n \n=0
\loop
${LINE} and fluffy traffic, and words that nobody reads are set in a font which is found on many a page: hyphenation
(1234567890) breaks long typographical constructions.\par
\advance\n by 1
\ifnum\n<22 \repeat
\end{document}
`
}

/** By cairo: embedded TrueType fonts, one of them for characters by their number, each line placed by itself. */
function drawn() {
  const font = `font-family="DejaVu Sans" font-size="12"`
  const lines = Array.from(
    { length: 12 },
    (_, i) => `<text x="40" y="${40 + i * 17}" ${font}>${LINE} ${i}. Άλφα βήτα</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="595" height="842">${lines.join("")}</svg>`
}

/** In a font that no file carries. */
function plain() {
  const lines = Array.from({ length: 12 }, (_, i) => `[(${LINE.slice(0, 9)})20(${LINE.slice(9)} ${i})]TJ 0 -15 Td`)
  const content = `BT /F1 10 Tf 50 790 Td\n${lines.join("\n")}\nET`
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 ${font} >> >> /Contents 4 0 R >>`,
    `<< /Length ${content.length} >> stream\n${content}\nendstream`,
  ]
  let pdf = "%PDF-1.5\n"
  const offsets = objects.map((object, i) => {
    const offset = pdf.length
    pdf += `${i + 1} 0 obj ${object} endobj\n`
    return `${String(offset).padStart(10, "0")} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`
  return `${pdf}${table}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`
}
