import { DEFAULT_LIMITS } from "../main/limits.ts"

/** What `--help` prints: every option, what the exit code says, and lines to copy. */
export const HELP = `Usage: bounded-read [options] PATH

Prints what an agent's model would see of a file, whatever its size: at most
${DEFAULT_LIMITS.maxLines.toLocaleString("en")} lines or ${DEFAULT_LIMITS.maxBytes.toLocaleString("en")} bytes, and how to go on.

Options:
  --offset N        first line, counted from 1
  --limit N         number of lines
  --column N        byte of line --offset to begin at, counted from 1, for long lines
  --encoding E      decode as E (utf-16le, gbk, windows-1252, ...) in place of UTF-8
  --pages R         pages of a document: 1-3,7
  --password P      password of a document (other users may see it in the list of processes)
  --region X,Y,WxH  part of an image, in pixels from its top left corner
  --no-shell        name no command in hints: for agents that have no shell
  --json            print {"content", "details", "receipt"} as one line of JSON
  -h, --help        print this
  -V, --version     print the version

Text is printed exactly as the model gets it, without a line end added. An image
is one line: its type, size and pixels.

Exit code: 0 a result, 1 an error, 2 wrong usage.

Examples:
  bounded-read README.md
  bounded-read --offset 5000000 --limit 20 server.log
  bounded-read --no-shell --column 1 bundle.min.js
  bounded-read --encoding utf-16le export.csv
  bounded-read --region 400,120,800x600 --json chart.png
  bounded-read --json notes.txt | jq .receipt
  bounded-read -- --odd-name.txt      after --, a name may begin with a dash
`
