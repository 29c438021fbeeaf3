/** What is kept of a process's last words. */
const MAX_LAST_WORDS_BYTES = 8_192
/** All that a terminal would obey; line ends and tabs stay. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** The end of what a process writes to standard error, in bounded memory however much that is. */
export class LastWords {
  private kept = Buffer.alloc(0)

  add(bytes: Uint8Array): void {
    this.kept = Buffer.concat([this.kept, bytes.subarray(-MAX_LAST_WORDS_BYTES)]).subarray(-MAX_LAST_WORDS_BYTES)
  }

  /** For a log or a terminal: control characters, and what is no UTF-8, are U+FFFD. */
  toString(): string {
    return this.kept.toString().replaceAll("\r\n", "\n").replace(CONTROL, "\ufffd").trim()
  }
}
