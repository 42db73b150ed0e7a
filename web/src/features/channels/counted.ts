/** A number with its word: '1 document', '24 documents'. */
export function counted(number: number, word: string): string {
  return `${number.toLocaleString()} ${word}${number === 1 ? '' : 's'}`
}
