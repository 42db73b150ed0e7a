/** A noncharacter that real text never contains and that is removed before display (visible-text.ts). */
const invisibleMark = '\uFDD2'

const webAddress = /(?<![\w/])(https?:|www)(?=\/\/|\.)\S*$/i
const mailAddress = /(?<![\w.+-])[\w.+-]+(?=@[\w.-]*$)/
const definition = /^ {0,3}\[[^\]\n]+\]:/

/**
 * Breaks up an address at the very end of a growing text with an invisible character, so that it is not linked: it
 * may still grow, and its destination would change with every letter.
 */
export function breakUnfinishedLink(text: string): string {
  const line = text.slice(text.lastIndexOf('\n') + 1)
  if (definition.test(line)) return text
  // No real address is longer than this.
  const end = line.slice(-2_000)
  const found = webAddress.exec(end) ?? mailAddress.exec(end)
  if (found === null) return text
  const at = text.length - end.length + found.index + (found[1] ?? found[0]).length
  return text.slice(0, at) + invisibleMark + text.slice(at)
}
