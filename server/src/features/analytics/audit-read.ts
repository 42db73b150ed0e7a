import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { auditAlone } from '../audit/append.ts'

/** Records in the audit log that questions were read or a table was exported. If that fails, nothing is sent. */
export async function auditRead(
  deps: Deps,
  actor: Actor,
  action: 'analytics.read' | 'analytics.exported',
  details: Record<string, unknown>,
): Promise<void> {
  try {
    await auditAlone(deps, { actor, action, after: details })
  } catch (cause) {
    throw new AppError('audit.unavailable', { cause, retryAfter: 5 })
  }
}
