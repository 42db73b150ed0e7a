import { stripInvisible } from '@lyceum/contract/invisible-text'

/** Longer messages are truncated before they are parsed, so that no reply can freeze the page. */
export const maxMessageLength = 256 * 1024

/** The displayed part of a message, and whether it was truncated. */
export function toVisibleText(message: string): { text: string; isTruncated: boolean } {
  const isTruncated = message.length > maxMessageLength
  const part = isTruncated ? message.slice(0, maxMessageLength) : message
  return { text: stripInvisible(part.replace(/\r\n?/g, '\n')), isTruncated }
}
