const marker = '%PDF-'
// Readers accept a few bytes before the marker, and so does the server.
const markerReach = 1_024

export class NotAPdfError extends Error {}

/**
 * The file as a PDF and as nothing else: whatever type it claims, it could otherwise be opened as a page of ours.
 */
export async function asPdf(file: Blob): Promise<Blob> {
  const head = new TextDecoder('latin1').decode(await file.slice(0, markerReach).arrayBuffer())
  if (!head.includes(marker)) throw new NotAPdfError('The file has no PDF marker')
  return new Blob([file], { type: 'application/pdf' })
}
