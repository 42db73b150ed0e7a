import { AppError } from '../../../errors.ts'

const maxLength = 200

// Path separators, control and line-break characters, invisible characters and those that change text
// direction. Joiners are allowed: Persian and Indic names need them.
const invalidCharacters =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}/\\\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u

/** Validates a received file name for storage and display. It is never used as a name on disk. */
export function normalizeFileName(input: string): string {
  const name = input.normalize('NFC').trim()
  if (Array.from(name).length > maxLength || invalidCharacters.test(name)) throw new AppError('document.name')
  return name
}

/** Reduces a title to a single line. Falls back to the file name if nothing is left. */
export function normalizeTitle(input: string, fileName: string): string {
  const title = input
    .normalize('NFC')
    .replace(new RegExp(invalidCharacters, 'gu'), (character) =>
      character === '/' || character === '\\' ? character : ' ',
    )
    .replace(/\s+/g, ' ')
    .trim()
  return title === '' ? fileName : title
}
