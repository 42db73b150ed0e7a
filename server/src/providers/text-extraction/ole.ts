const signature = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])

export function isOle(bytes: Buffer): boolean {
  return bytes.subarray(0, signature.length).equals(signature)
}

/** Encodes a stream name as in the directory of the compound file. */
export function encodeOleName(name: string): Buffer {
  return Buffer.from(name, 'utf16le')
}
