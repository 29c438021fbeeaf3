declare module "pngjs/lib/packer-sync.js" {
  import type { PackerOptions } from "pngjs"
  export default function packPng(
    image: { width: number; height: number; data: Uint8Array },
    options: PackerOptions & { bitDepth: number },
  ): Uint8Array
}
