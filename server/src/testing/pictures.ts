import sharp from 'sharp'

/** Creates a picture of one colour. */
export function createPicture(
  colour: string,
  format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png',
): Promise<Buffer> {
  return sharp({ create: { width: 64, height: 36, channels: 3, background: colour } })
    .toFormat(format)
    .toBuffer()
}

/** Reads the colour of the first pixel, in steps of 16 because lossy formats change it slightly. */
export async function readColour(content: Buffer): Promise<number[]> {
  const { data } = await sharp(content).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return [...data.subarray(0, 3)].map((value) => Math.round(value / 16))
}
