// Holds more and more memory, which no heap limit counts, and never ends by itself.
const held = []
setInterval(() => held.push(Buffer.alloc(64 * 1024 * 1024, 1)), 20)
