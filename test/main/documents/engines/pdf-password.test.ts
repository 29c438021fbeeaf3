import { expect, test } from "vitest"
import { passwordsToTry } from "../../../../src/main/documents/engines/pdf-password.ts"

// The examples of RFC 4013, and what its tables say of spaces and joiners.
test.each([
  ["I\u00adX", ["IX", "I\u00adX"]],
  ["user", ["user"]],
  ["USER", ["USER"]],
  ["\u00aa", ["a", "\u00aa"]],
  ["\u2168", ["IX", "\u2168"]],
  ["a\u00a0b", ["a b", "a\u00a0b"]],
  ["a\u200db\ufe0f", ["ab", "a\u200db\ufe0f"]],
  ["u\u0308", ["\u00fc", "u\u0308"]],
])("the password %j is tried as SASLprep has it, then as typed", (typed, expected) => {
  expect(passwordsToTry(typed)).toEqual(expected)
})
