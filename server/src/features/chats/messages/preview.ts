const previewLength = 200

/** The beginning of a message as a single line. The sidebar truncates it further. */
export function toPreview(content: string): string {
  return [
    ...content
      .slice(0, previewLength * 4)
      .replace(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, previewLength)
    .join('')
}
