/** Never in real text, and taken out before it is shown (visible-text.ts). */
const breach = '\uFDD2'

const webAddress = /(?<![\w/])(https?:|www)(?=\/\/|\.)\S*$/i
const mailAddress = /(?<![\w.+-])[\w.+-]+(?=@[\w.-]*$)/
/** What an address stands for elsewhere in the text is no link by itself. */
const definition = /^ {0,3}\[[^\]\n]+\]:/

/**
 * An address at the very end of a growing text may go on: as a link it would lead elsewhere with every letter. Broken
 * up by what nobody sees, it is shown as words.
 */
export function withoutUnfinishedLink(text: string): string {
  const line = text.slice(text.lastIndexOf('\n') + 1)
  if (definition.test(line)) return text
  // Nobody writes an address of more than this.
  const end = line.slice(-2_000)
  const found = webAddress.exec(end) ?? mailAddress.exec(end)
  if (found === null) return text
  const at = text.length - end.length + found.index + (found[1] ?? found[0]).length
  return text.slice(0, at) + breach + text.slice(at)
}
