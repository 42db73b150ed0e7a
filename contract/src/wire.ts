import * as z from 'zod/mini'

/** An id as a caller may send it. One that does not exist is a 404, so only its form is checked. */
export const id = z.string().check(z.regex(/^[\x20-\x7e]{1,64}$/))
export const idParams = z.object({ id })

/** ISO 8601, UTC. */
export const instant = z.string()

export const message = z.object({ message: z.string() })

/** A whole number that may arrive as text, as query parameters and form fields do. */
export const count = (lowest: number, highest: number) =>
  z.coerce.number().check(z.int(), z.gte(lowest), z.lte(highest))

/** Lists without `limit` are arrays of at most this many; with it they are pages. */
export const listMaximum = 500

export const paging = { limit: z.optional(count(1, listMaximum)), skip: z.optional(count(0, 10_000_000)) }

export const page = <S extends z.ZodMiniType>(item: S) =>
  z.object({ items: z.array(item), total: z.number(), totalPages: z.number() })

/** The two shapes of a list: the plain array the product's calls promise, and a page of it. */
export const list = <S extends z.ZodMiniType>(item: S) => z.union([z.array(item), page(item)])

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
const invisible = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u
const blank = /^[\p{Z}\p{C}\p{DI}\u2800]*$/u
/** Nothing of it shows: joiners and blanks alone are nobody's name, and no message. */
export const isBlank = (text: string): boolean => blank.test(text)

/** One line that people read: trimmed, no control or direction-changing characters. */
export const line = (longest: number, required: string) =>
  z.string().check(
    z.trim(),
    z.refine((text) => !isBlank(text), required),
    z.maxLength(longest, `At most ${longest} characters`),
    z.refine((text) => !invisible.test(text), 'This contains characters that cannot be shown'),
  )

/** Text of several lines; empty is allowed. */
export const prose = (longest: number) =>
  z.string().check(z.trim(), z.maxLength(longest, `At most ${longest} characters`))

// Linear, and without quotes, comments or address literals: what a mail server can be handed safely.
const address =
  /^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/

/** Trimmed and lower-cased, as it is stored. */
export const email = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(254, 'Invalid email address'),
    z.regex(address, 'Invalid email address'),
  )

/** What to look for, as somebody typed it. */
export const searchWords = z.string().check(
  z.overwrite((text) => text.replaceAll('\0', '')),
  z.trim(),
  z.maxLength(200, 'At most 200 characters'),
)

/** How much a search looked through. */
export const searched = {
  /** The words are so common that not all was looked through: there may be more than `total`. */
  isCut: z.optional(z.boolean()),
  /** The index is being built, newest messages first: what is older may be missing. */
  isBuilding: z.optional(z.boolean()),
}
