/** Spaces of other scripts, which SASLprep takes for a plain one (RFC 3454, C.1.2). */
const OTHER_SPACES = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g
/** Characters that SASLprep takes for none (RFC 3454, B.1). */
const NOTHING = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/g

/**
 * The passwords to try, in order. PDF 2.0 wants them through SASLprep (RFC 4013), which is: other spaces to a plain one,
 * invisible characters away, NFKC. What it forbids is not judged here: the document does not open with it. Older
 * documents were locked with what was typed, so that is tried where it differs.
 */
export function passwordsToTry(typed: string): string[] {
  const prepared = typed.replace(OTHER_SPACES, " ").replace(NOTHING, "").normalize("NFKC")
  return prepared === typed ? [typed] : [prepared, typed]
}
