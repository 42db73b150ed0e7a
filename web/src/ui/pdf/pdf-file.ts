const marker = '%PDF-'
// PDF readers and our server accept other bytes before the marker.
const markerWindow = 1_024

export class NotAPdfError extends Error {}

/**
 * Forces the type to PDF. With another type, such as text/html, the browser could open the file as a page of our
 * origin.
 */
export async function asPdf(file: Blob): Promise<Blob> {
  const head = new TextDecoder('latin1').decode(await file.slice(0, markerWindow).arrayBuffer())
  if (!head.includes(marker)) throw new NotAPdfError('The file has no PDF marker')
  return new Blob([file], { type: 'application/pdf' })
}
