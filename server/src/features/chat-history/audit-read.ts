import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { type AuditEvent, auditAlone } from '../audit/append.ts'

/** Records in the audit log that chats of other users were read. If that fails, nothing is sent. */
export async function auditRead(deps: Deps, event: AuditEvent): Promise<void> {
  try {
    await auditAlone(deps, event)
  } catch (error) {
    throw toAuditError(error)
  }
}

export function toAuditError(error: unknown): AppError {
  return error instanceof AppError
    ? error
    : new AppError('audit.unavailable', { cause: error, retryAfter: 5 })
}

/** Returns only the filters that were given. */
export function omitEmptyFilters(filters: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== undefined && value !== ''),
  )
}
