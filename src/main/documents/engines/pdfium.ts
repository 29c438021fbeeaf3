import { init } from "@embedpdf/pdfium"
import { OutOfPdfiumMemory, type PdfiumCalls } from "./pdfium-calls.ts"
import { withMemoryLimit } from "./wasm-memory-limit.ts"

/** Compiled, and ready to be handed to other threads, which share the code that V8 makes of it. */
export interface PdfiumModule {
  readonly [Symbol.toStringTag]: "WebAssembly.Module"
}

type Imports = Record<string, Record<string, unknown>>

/** The part of `WebAssembly` that is used; Node's types do not have it. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    compile(bytes: Uint8Array): Promise<PdfiumModule>
    Instance: new (module: PdfiumModule, imports: Imports) => object
  }
}

/** The part of Emscripten's settings that is used, and that the package's types do not name. */
interface EmscriptenSettings {
  instantiateWasm(imports: Imports, receive: (instance: object) => object): object
  print(): void
  printErr(): void
}

/** The module in these bytes, with the maximum of its memory lowered to `maxBytes`. */
export function compilePdfium(wasm: Uint8Array, maxBytes: number): Promise<PdfiumModule> {
  return WebAssembly.compile(withMemoryLimit(wasm, maxBytes))
}

/** A PDFium with a memory of its own, which never grows past `maxBytes`, nor past the maximum of the module. */
export async function startPdfium(module: PdfiumModule, maxBytes: number): Promise<PdfiumCalls> {
  const settings: EmscriptenSettings = {
    instantiateWasm: (imports, receive) =>
      receive(new WebAssembly.Instance(module, withGrowthLimit(imports, maxBytes))),
    print: () => undefined,
    printErr: () => undefined,
  }
  const { pdfium } = await init(settings as Parameters<typeof init>[0])
  const calls = pdfium as unknown as PdfiumCalls
  calls._FPDF_InitLibrary()
  return calls
}

/** PDFium asks for more memory by one import; the answer 0 is a `malloc` that fails. */
function withGrowthLimit(imports: Imports, maxBytes: number): Imports {
  const grow = imports.env?.emscripten_resize_heap as (bytes: number) => number
  const growWithin = (bytes: number) => (bytes >>> 0 > maxBytes ? 0 : grow(bytes))
  return { ...imports, env: { ...imports.env, emscripten_resize_heap: growWithin } }
}

/** Whether PDFium ended because it ran out of memory or of stack. It has aborted then, and its module is dead. */
export function isPdfiumSpent(thrown: unknown): boolean {
  const trapped = thrown instanceof Error && thrown.name === "RuntimeError"
  return trapped || thrown instanceof OutOfPdfiumMemory || thrown instanceof RangeError
}
