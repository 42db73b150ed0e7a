import * as z from 'zod'
import { AppError } from '../errors.ts'

const generic = /^(Invalid input|Invalid option|Invalid string|Too (big|small)|Unrecognized key|Invalid$)/

function words(issue: z.core.$ZodIssue): string {
  return generic.test(issue.message) ? 'This is missing or not of the right kind' : issue.message
}

/** PostgreSQL keeps no text with a NUL in it, and nothing that people write has one. */
function holdsNul(value: unknown): boolean {
  return typeof value === 'string'
    ? value.includes('\0')
    : typeof value === 'object' && value !== null && Object.values(value).some(holdsNul)
}

/** Checks what came in against the contract: one sentence per wrong field. */
export function parseInput(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const parsed = z.core.safeParse(schema, value)
  if (parsed.success) {
    // Afterwards: where the contract takes control characters out or has words of its own, those come first.
    if (holdsNul(parsed.data)) throw new AppError('request.malformed')
    return parsed.data
  }
  const fields: Record<string, string> = {}
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || 'body'] ??= words(issue)
  const sentences = [
    ...new Set(parsed.error.issues.filter((issue) => !generic.test(issue.message)).map(words)),
  ]
  const message = sentences.length === 1 ? sentences[0] : undefined
  throw new AppError('validation.failed', { fields, ...(message ? { message } : {}) })
}
