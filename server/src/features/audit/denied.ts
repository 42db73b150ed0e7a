import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { auditAlone } from './append.ts'

interface Denied {
  actor: Actor
  call: string
  status: number
  asked: Record<string, string>
  count: number
}

/** Somebody signed in asked for what is not theirs to see or do. Nobody waits for this entry. */
export function enterDenial(deps: Deps, { actor, call, status, asked, count }: Denied): Promise<void> {
  return auditAlone(deps, {
    actor,
    action: 'access.denied',
    object: { type: 'call', id: call },
    after: { status, ...asked, ...(count > 1 ? { count } : {}) },
    result: 'denied',
  })
}
