const firstLetter = /\p{L}/u
// Hebrew, Arabic and the scripts around them, and those of the upper planes.
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/**
 * Which way a list, a quotation or a table runs. A browser's own guess passes over what is inside an element with a
 * direction of its own, and the paragraphs in these have one.
 */
export const directionOf = (text: string): 'rtl' | 'ltr' =>
  rightToLeft.test(firstLetter.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr'
