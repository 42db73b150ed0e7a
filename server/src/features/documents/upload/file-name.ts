import { AppError } from '../../../errors.ts'

const longest = 200

// Separators of paths, control and line characters, invisible ones and those that change the direction of writing.
// Joiners stay: Persian and Indic names need them.
const unusable =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}/\\\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u

/** A received name as it may be kept and shown. It never names anything on disk. */
export function usableFileName(given: string): string {
  const name = given.normalize('NFC').trim()
  if (Array.from(name).length > longest || unusable.test(name)) throw new AppError('document.name')
  return name
}

/** A title in one line; the file's name where none is left. */
export function usableTitle(given: string, fileName: string): string {
  const title = given
    .normalize('NFC')
    .replace(new RegExp(unusable, 'gu'), (found) => (found === '/' || found === '\\' ? found : ' '))
    .replace(/\s+/g, ' ')
    .trim()
  return title === '' ? fileName : title
}
