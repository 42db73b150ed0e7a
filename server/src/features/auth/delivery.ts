import type { CodeDelivery } from '@lyceum/contract/auth'
import type { Deps } from '../../deps.ts'

/** How codes and links reach users. */
export function getDelivery({ mail }: Pick<Deps, 'mail'>): CodeDelivery {
  return mail.delivers ? 'mail' : 'outbox'
}
