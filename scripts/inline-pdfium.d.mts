export function inlinePdfium(bytes: Uint8Array): Uint8Array
