import sharp from 'sharp'

/** A picture of one colour, as a camera or a program would write it. */
export function picture(colour: string, format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png'): Promise<Buffer> {
  return sharp({ create: { width: 64, height: 36, channels: 3, background: colour } })
    .toFormat(format)
    .toBuffer()
}

/** The colour of a picture's first point, in steps of 16: what lossy forms make of it differs a little. */
export async function colourOf(content: Buffer): Promise<number[]> {
  const { data } = await sharp(content).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return [...data.subarray(0, 3)].map((value) => Math.round(value / 16))
}
