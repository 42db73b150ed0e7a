import { stripInvisible } from '@lyceum/contract/invisible-text'

const previewLength = 200

/** The beginning of a message as a single line. The sidebar truncates it further. */
export function toPreview(content: string): string {
  return [
    ...stripInvisible(content.slice(0, previewLength * 4))
      .replace(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, previewLength)
    .join('')
}
