import { createCipheriv, createHash, randomBytes } from "node:crypto"
import { buildPdf, pageObjects, showLines, stream } from "../build-pdf.ts"

/** The padding of passwords in the older schemes (ISO 32000-1, 7.6.3.3). */
const PADDING = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex")
const PERMISSIONS = -44

const md5 = (...parts: Uint8Array[]) => createHash("md5").update(Buffer.concat(parts)).digest()
const hex = (bytes: Uint8Array) => `<${Buffer.from(bytes).toString("hex")}>`

/** RC4, which no current OpenSSL offers any more. */
function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  const swap = (a: number, b: number) => {
    const kept = state[a] ?? 0
    state[a] = state[b] ?? 0
    state[b] = kept
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  let i = 0
  let j = 0
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255
      j = (j + (state[i] ?? 0)) & 255
      swap(i, j)
      return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 255] ?? 0)
    }),
  )
}

const padded = (password: string) => Buffer.concat([Buffer.from(password, "latin1"), PADDING]).subarray(0, 32)

/** Twenty rounds of RC4 with the key changed by their number. */
function rc4Rounds(key: Uint8Array, data: Uint8Array): Buffer {
  let result: Buffer = Buffer.from(data)
  for (let round = 0; round < 20; round++)
    result = rc4(
      key.map((byte) => byte ^ round),
      result,
    )
  return result
}

/** A page of text under RC4 with 128 bits (revision 3), and more after it. */
export function rc4Pdf(lines: string[], user: string, owner: string, ...more: string[][]): Buffer {
  const id = Buffer.alloc(16, 7)
  let ownerKey = md5(padded(owner))
  for (let i = 0; i < 50; i++) ownerKey = md5(ownerKey)
  const ownerEntry = rc4Rounds(ownerKey, padded(user))
  const permissions = Buffer.alloc(4)
  permissions.writeInt32LE(PERMISSIONS)
  let key = md5(padded(user), ownerEntry, permissions, id)
  for (let i = 0; i < 50; i++) key = md5(key)
  const userEntry = Buffer.concat([rc4Rounds(key, md5(PADDING, id)), Buffer.alloc(16)])
  const pages = [lines, ...more]
  const objects = pageObjects(pages.map(() => ({ content: "" })))
  for (const [i, page] of pages.entries()) {
    const number = 11 + 2 * i
    const objectKey = md5(key, Buffer.from([number, 0, 0, 0, 0]))
    objects.set(number, stream("", rc4(objectKey, Buffer.from(showLines(...page), "latin1"))))
  }
  const encrypt = `<< /Filter /Standard /V 2 /R 3 /Length 128 /O ${hex(ownerEntry)} /U ${hex(userEntry)} /P ${PERMISSIONS} >>`
  return buildPdf(objects, `/Encrypt ${encrypt} /ID [${hex(id)} ${hex(id)}]`)
}

function aesCbc(key: Uint8Array, iv: Uint8Array, data: Uint8Array, bits = 256): Buffer {
  const cipher = createCipheriv(`aes-${bits}-cbc`, key, iv).setAutoPadding(false)
  return Buffer.concat([cipher.update(data), cipher.final()])
}

/** The hash of revision 6 (ISO 32000-2, algorithm 2.B). */
function hashOfRevision6(password: Uint8Array, salt: Uint8Array, userEntry: Uint8Array = Buffer.alloc(0)): Buffer {
  let key = createHash("sha256")
    .update(Buffer.concat([password, salt, userEntry]))
    .digest()
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const once = Buffer.concat([password, key, userEntry])
    const encrypted = aesCbc(key.subarray(0, 16), key.subarray(16, 32), Buffer.concat(Array(64).fill(once)), 128)
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = createHash(["sha256", "sha384", "sha512"][remainder] ?? "")
      .update(encrypted)
      .digest()
    last = encrypted.at(-1) ?? 0
  }
  return key.subarray(0, 32)
}

/** One page of text under AES with 256 bits (revision 6). */
export function aes256Pdf(lines: string[], user: string, owner: string): Buffer {
  const [fileKey, salts, iv] = [randomBytes(32), randomBytes(32), randomBytes(16)]
  const salt = (at: number) => salts.subarray(at * 8, at * 8 + 8)
  const zero = Buffer.alloc(16)
  const [userBytes, ownerBytes] = [Buffer.from(user), Buffer.from(owner)]
  const userEntry = Buffer.concat([hashOfRevision6(userBytes, salt(0)), salt(0), salt(1)])
  const userKey = aesCbc(hashOfRevision6(userBytes, salt(1)), zero, fileKey)
  const ownerEntry = Buffer.concat([hashOfRevision6(ownerBytes, salt(2), userEntry), salt(2), salt(3)])
  const ownerKey = aesCbc(hashOfRevision6(ownerBytes, salt(3), userEntry), zero, fileKey)
  const permissions = Buffer.alloc(16, 0xff)
  permissions.writeInt32LE(PERMISSIONS)
  permissions.write("Tadb", 8, "latin1")
  const ecb = createCipheriv("aes-256-ecb", fileKey, null).setAutoPadding(false)
  const content = Buffer.from(showLines(...lines), "latin1")
  const padding = 16 - (content.length % 16)
  const objects = pageObjects([{ content: "" }])
  objects.set(
    11,
    stream("", Buffer.concat([iv, aesCbc(fileKey, iv, Buffer.concat([content, Buffer.alloc(padding, padding)]))])),
  )
  const entries = [
    "/Filter /Standard /V 5 /R 6 /Length 256 /StmF /StdCF /StrF /StdCF",
    "/CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >>",
    `/O ${hex(ownerEntry)} /U ${hex(userEntry)} /OE ${hex(ownerKey)} /UE ${hex(userKey)}`,
    `/Perms ${hex(Buffer.concat([ecb.update(permissions), ecb.final()]))} /P ${PERMISSIONS}`,
  ]
  return buildPdf(objects, `/Encrypt << ${entries.join(" ")} >>`, "%PDF-2.0\n")
}
