const previewKept = 200

/** The beginning of a message as a single line. The sidebar truncates it further. */
export function previewOf(content: string): string {
  return [
    ...content
      .slice(0, previewKept * 4)
      .replace(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, previewKept)
    .join('')
}
