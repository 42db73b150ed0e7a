import * as z from 'zod/mini'
import { stripZeroWidth } from './invisible-text.ts'

/** An id sent by the client. Only its format is checked here: an unknown id is a 404. */
export const id = z.string().check(z.regex(/^[\x20-\x7e]{1,64}$/))
export const idParams = z.object({ id })

/** ISO 8601, UTC. */
export const isoTimestamp = z.string()

export const confirmation = z.object({ message: z.string() })

/** A text whose message for an empty value applies to a missing one too. */
export function requiredText(required: string) {
  return z.string({ error: ({ input }) => (input === undefined ? required : undefined) })
}

/** A whole number. Query parameters and form fields arrive as text, so it is coerced. */
export function intParam(min: number, max: number) {
  return z.coerce.number().check(z.int(), z.gte(min), z.lte(max))
}

/** A list call without `limit` returns an array of at most this many items; with `limit` it returns a page. */
export const listMaximum = 500

export const paging = {
  limit: z.optional(intParam(1, listMaximum)),
  skip: z.optional(intParam(0, 10_000_000)),
}

export function page<S extends z.ZodMiniType>(item: S) {
  return z.object({ items: z.array(item), total: z.number(), totalPages: z.number() })
}

/** A list reply: the plain array that the specification promises, or one page of it. */
export function list<S extends z.ZodMiniType>(item: S) {
  return z.union([z.array(item), page(item)])
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
const displayable = /^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]*$/u
/** Text with a visible character, not only with spaces and joiners. */
export const visible = /[^\p{Z}\p{C}\p{DI}\u2800]/u

/** One line of visible text: trimmed, without control, direction-changing or zero-width characters. */
export function singleLine(maxLength: number, required: string) {
  return requiredText(required).check(
    z.overwrite(stripZeroWidth),
    z.trim(),
    z.regex(visible, required),
    z.maxLength(maxLength, `At most ${maxLength} characters`),
    z.regex(displayable, 'This contains characters that cannot be shown'),
  )
}

/** Like `singleLine`, but may be empty. */
export function optionalLine(maxLength: number) {
  return z
    .string()
    .check(
      z.overwrite(stripZeroWidth),
      z.trim(),
      z.maxLength(maxLength, `At most ${maxLength} characters`),
      z.regex(displayable, 'This contains characters that cannot be shown'),
    )
}

/** Multi-line text; may be empty. */
export function multiLine(maxLength: number) {
  return z.string().check(z.trim(), z.maxLength(maxLength, `At most ${maxLength} characters`))
}

// Matches in linear time. Excludes quoted names, comments and address literals, which some mail servers mishandle.
const address =
  /^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/

/** Visitors, who have no address, are stored with one of this domain. Nobody else can have one: RFC 2606 reserves `.invalid`. */
export const visitorDomain = 'visitors.invalid'

/** Trimmed and lower-cased, the form in which addresses are stored. */
export const email = requiredText('Invalid email address').check(
  z.trim(),
  z.toLowerCase(),
  z.maxLength(254, 'Invalid email address'),
  z.regex(address, 'Invalid email address'),
  z.refine((text) => !text.endsWith(`@${visitorDomain}`), 'Invalid email address'),
)

const searchChecks = [
  z.overwrite((text: string) => text.replaceAll('\0', '')),
  z.trim(),
  z.maxLength(200, 'At most 200 characters'),
] as const
/** A search query as the user typed it. */
export const searchText = z.string().check(...searchChecks)

const searchTermRequired = 'Enter a search term'
/** Like `searchText`, for calls that only search. */
export const requiredSearchText = requiredText(searchTermRequired).check(
  ...searchChecks,
  z.minLength(1, searchTermRequired),
)

/** Tells the client when a search did not cover everything. */
export const searchCoverage = {
  /** The query matches so much that the search stopped early; there may be more matches than `total`. */
  isCut: z.optional(z.boolean()),
  /** The index is still being built, newest messages first; older messages may be missing. */
  isBuilding: z.optional(z.boolean()),
}

export const pemMaxLength = 20_000
/** One or several certificates, or ''. */
export const pemCertificate = z
  .string()
  .check(
    z.trim(),
    z.maxLength(pemMaxLength, 'At most 20,000 characters.'),
    z.regex(/^(?:$|-----BEGIN CERTIFICATE-----)/, 'Paste a certificate in PEM format.'),
  )
