const magic = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])

export const isOle = (bytes: Buffer): boolean => bytes.subarray(0, magic.length).equals(magic)

/** How a stream's name stands in the container's directory. */
export const oleName = (name: string): Buffer => Buffer.from(name, 'utf16le')
