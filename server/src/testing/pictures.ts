import sharp from 'sharp'

/** Creates a picture of one color. */
export function createPicture(
  color: string,
  format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png',
): Promise<Buffer> {
  return sharp({ create: { width: 64, height: 36, channels: 3, background: color } })
    .toFormat(format)
    .toBuffer()
}

/** Reads the color of the first pixel, in steps of 16 because lossy formats change it slightly. */
export async function readColor(content: Buffer): Promise<number[]> {
  const { data } = await sharp(content).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return [...data.subarray(0, 3)].map((value) => Math.round(value / 16))
}

const pngStart = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** Creates the beginning of a PNG picture, up to its size. */
export function createPngHeader(width: number, height: number): Buffer {
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  return Buffer.concat([pngStart, size])
}
