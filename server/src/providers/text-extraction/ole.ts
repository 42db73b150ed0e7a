const magic = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])

export function isOle(bytes: Buffer): boolean {
  return bytes.subarray(0, magic.length).equals(magic)
}

/** How a stream's name stands in the container's directory. */
export function oleName(name: string): Buffer {
  return Buffer.from(name, 'utf16le')
}
