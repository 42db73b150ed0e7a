import * as z from 'zod'
import { AppError } from '../errors.ts'

const genericMessage =
  /^(Invalid input|Invalid option|Invalid string|Too (big|small)|Unrecognized key|Invalid$)/

function toSentence(issue: z.core.$ZodIssue): string {
  return genericMessage.test(issue.message) ? 'This value is missing or has the wrong type' : issue.message
}

/** PostgreSQL cannot store NUL in text, and no legitimate input contains it. */
function containsNul(value: unknown): boolean {
  return typeof value === 'string'
    ? value.includes('\0')
    : typeof value === 'object' && value !== null && Object.values(value).some(containsNul)
}

/** Validates input against the contract. The error has one sentence per invalid field. */
export function parseInput<S extends z.core.$ZodType>(schema: S, value: unknown): z.output<S>
export function parseInput(schema: z.core.$ZodType | undefined, value: unknown): unknown
export function parseInput(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const parsed = z.core.safeParse(schema, value)
  if (parsed.success) {
    // Checked after parsing, because some contract fields strip control characters or have their own message for them.
    if (containsNul(parsed.data)) throw new AppError('request.malformed')
    return parsed.data
  }
  const fields: Record<string, string> = {}
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || 'body'] ??= toSentence(issue)
  const sentences = [
    ...new Set(parsed.error.issues.filter((issue) => !genericMessage.test(issue.message)).map(toSentence)),
  ]
  const message = sentences.length === 1 ? sentences[0] : undefined
  throw new AppError('validation.failed', { fields, ...(message ? { message } : {}) })
}
