import { open } from 'node:fs/promises'

export type ImageKind = 'jpeg' | 'png' | 'gif' | 'webp'

const headBytes = 16
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Detects the kind from the first bytes, ignoring the file name; null for any other kind. */
export function detectKind(head: Buffer): ImageKind | null {
  const text = head.toString('latin1', 0, headBytes)
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.subarray(0, pngSignature.length).equals(pngSignature)) return 'png'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif'
  return text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP' ? 'webp' : null
}

export async function detectImageKind(path: string): Promise<ImageKind | null> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return detectKind(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}
