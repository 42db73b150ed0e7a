import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { auditAlone } from './append.ts'

interface Denied {
  actor: Actor
  call: string
  status: number
  params: Record<string, string>
  count: number
}

/** Somebody signed in asked for what is not theirs to see or do. Nobody waits for this entry. */
export function auditDenial(deps: Deps, { actor, call, status, params, count }: Denied): Promise<void> {
  return auditAlone(deps, {
    actor,
    action: 'access.denied',
    object: { type: 'call', id: call },
    after: { status, ...params, ...(count > 1 ? { count } : {}) },
    result: 'denied',
  })
}
