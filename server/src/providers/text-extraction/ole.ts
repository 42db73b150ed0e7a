const magic = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
const wordMark = 0xa5ec
const encryptedFlag = 0x0100
const sectorSize = 512

export const isOle = (bytes: Buffer): boolean => bytes.subarray(0, magic.length).equals(magic)

/** How a stream's name stands in the container's directory. */
export const oleName = (name: string): Buffer => Buffer.from(name, 'utf16le')

/** Word says in the head of its main stream, which starts on a sector, whether the text is enciphered. */
export function isEncryptedWord(bytes: Buffer): boolean {
  for (let at = sectorSize; at + 12 <= bytes.length; at += sectorSize) {
    if (bytes.readUInt16LE(at) === wordMark) return (bytes.readUInt16LE(at + 10) & encryptedFlag) !== 0
  }
  return bytes.includes(oleName('EncryptedPackage'))
}
