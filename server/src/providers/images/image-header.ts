import { open } from 'node:fs/promises'
import { detectKind, type ImageKind } from './image-kind.ts'

export interface ImageHeader {
  kind: ImageKind
  /** In pixels; null if the header is damaged. */
  size: { width: number; height: number } | null
}

/** Metadata before the size of a JPEG picture, such as a color profile, is smaller than this. */
const headerBytes = 512 * 1024

type Size = ImageHeader['size']

function readPng(bytes: Buffer): Size {
  if (bytes.length < 24 || bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function readGif(bytes: Buffer): Size {
  return bytes.length < 10 ? null : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

function readWebp(bytes: Buffer): Size {
  if (bytes.length < 30) return null
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return bytes[20] === 0x2f ? { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 } : null
    }
    case 'VP8 ':
      return bytes.readUIntBE(23, 3) === 0x9d012a
        ? { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
        : null
    default:
      return null
  }
}

/** Whether a marker begins a frame. C4, C8 and CC are in the same range but mean something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** Steps from segment to segment until the one that contains the size. */
function readJpeg(bytes: Buffer): Size {
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1)
    if (isFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    // Fill bytes may precede a marker.
    if (marker === 0xff) at += 1
    else if (marker === 0xda || marker === 0xd9) return null
    else at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

const readers: Record<ImageKind, (bytes: Buffer) => Size> = {
  png: readPng,
  gif: readGif,
  webp: readWebp,
  jpeg: readJpeg,
}

/** Reads the kind and size from the first bytes, without decoding. Null if the file is no picture of a known kind. */
export async function readImageHeader(path: string): Promise<ImageHeader | null> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0)
    const bytes = buffer.subarray(0, bytesRead)
    const kind = detectKind(bytes)
    if (!kind) return null
    const size = readers[kind](bytes)
    return { kind, size: size && size.width > 0 && size.height > 0 ? size : null }
  } finally {
    await file.close()
  }
}
