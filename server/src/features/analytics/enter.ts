import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { auditAlone } from '../audit/append.ts'

/** Enters a look at what people asked, before anything of it is sent; without the entry there is no look. */
export async function enterLook(
  deps: Deps,
  actor: Actor,
  action: 'analytics.read' | 'analytics.exported',
  seen: Record<string, unknown>,
): Promise<void> {
  try {
    await auditAlone(deps, { actor, action, after: seen })
  } catch (cause) {
    throw new AppError('audit.unavailable', { cause, retryAfter: 5 })
  }
}
