/** The longer side, in pixels. Models scale larger pictures down themselves. */
const maxSide = 2048
const quality = 0.9

function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality))
}

/** Browsers that cannot encode WebP return PNG. Pictures with few colors, such as screenshots, stay PNG. */
async function drawPicture(file: File): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file)
  try {
    const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    return await encode(canvas, file.type === 'image/gif' ? 'image/png' : file.type)
  } finally {
    bitmap.close()
  }
}

/**
 * Draws a picture again before it is uploaded: smaller, upright and without metadata, which can contain the place where
 * it was taken. What the browser cannot read is uploaded as it is, and the server says what is wrong.
 */
export async function shrinkPicture(file: File): Promise<File> {
  try {
    const drawn = await drawPicture(file)
    return drawn === null ? file : new File([drawn], file.name, { type: drawn.type })
  } catch {
    return file
  }
}
