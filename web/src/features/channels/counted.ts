/** A number with its word: '1 document', '24 documents'. */
export const counted = (number: number, word: string): string =>
  `${number.toLocaleString()} ${word}${number === 1 ? '' : 's'}`
