import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { type AuditEvent, auditAlone } from '../audit/append.ts'

/**
 * A look into other people's chats stands in the audit log before anything of it is sent. Where it cannot be entered,
 * nothing is sent.
 */
export async function enterLook(deps: Deps, event: AuditEvent): Promise<void> {
  try {
    await auditAlone(deps, event)
  } catch (error) {
    throw unavailable(error)
  }
}

export function unavailable(error: unknown): AppError {
  return error instanceof AppError
    ? error
    : new AppError('audit.unavailable', { cause: error, retryAfter: 5 })
}

/** What was asked for, without what was left out. */
export function asked(given: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''))
}
