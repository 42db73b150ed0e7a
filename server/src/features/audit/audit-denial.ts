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

/** Records that a signed-in user was refused access. The response does not wait for it. */
export function auditDenial(deps: Deps, { actor, call, status, params, count }: Denied): Promise<void> {
  return auditAlone(deps, {
    actor,
    action: 'access.denied',
    object: { type: 'call', id: call },
    after: { status, ...params, ...(count > 1 ? { count } : {}) },
    result: 'denied',
  })
}
