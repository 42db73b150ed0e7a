import * as z from 'zod'
import { AppError } from '../errors.ts'

const choicesMaxLength = 200
const disjunction = new Intl.ListFormat('en', { type: 'disjunction' })
const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }

function describeChoices(choices: readonly unknown[]): string {
  const list = disjunction.format(choices.map(String))
  return list.length > choicesMaxLength ? 'This value is unknown' : `This value must be ${list}`
}

/** The message for a value whose schema has none for it. */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_value') return describeChoices(issue.values)
  if (issue.code === 'invalid_union' && Array.isArray(issue.options)) return describeChoices(issue.options)
  if (issue.code === 'too_big') return `At most ${issue.maximum}${units[issue.origin] ?? ''}`
  if (issue.code === 'too_small' && issue.origin === 'number') return `At least ${issue.minimum}`
  if (issue.code === 'unrecognized_keys') return `Unknown: ${issue.keys.join(', ')}`
  return 'This value is missing or has the wrong type'
}

/** PostgreSQL cannot store NUL in text, and no legitimate input contains it. */
function containsNul(value: unknown): boolean {
  return typeof value === 'string'
    ? value.includes('\0')
    : typeof value === 'object' && value !== null && Object.values(value).some(containsNul)
}

/**
 * Validates input against the contract. The error has one sentence per invalid field: the schema's own, or else a general
 * one. If only one sentence comes from a schema, it is also the message of the error. General ones need the field's name.
 */
export function parseInput<S extends z.core.$ZodType>(schema: S, value: unknown): z.output<S>
export function parseInput(schema: z.core.$ZodType | undefined, value: unknown): unknown
export function parseInput(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const general = new Set<string>()
  const parsed = z.core.safeParse(schema, value, {
    error(issue) {
      const sentence = describeIssue(issue)
      general.add(sentence)
      return sentence
    },
  })
  if (parsed.success) {
    // Checked after parsing, because some contract fields strip control characters or have their own message for them.
    if (containsNul(parsed.data)) throw new AppError('request.malformed')
    return parsed.data
  }
  const fields: Record<string, string> = {}
  for (const { path, message } of parsed.error.issues) fields[path.join('.') || 'body'] ??= message
  const own = new Set(Object.values(fields).filter((sentence) => !general.has(sentence)))
  const [message] = own.size === 1 ? own : []
  throw new AppError('validation.failed', { fields, ...(message ? { message } : {}) })
}
