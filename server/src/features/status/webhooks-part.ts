import type { Webhook } from '@lyceum/contract/webhooks'
import type { Deps } from '../../deps.ts'
import { presentWebhooks } from '../webhooks/webhooks.ts'
import { formatCount, type PartReading, textFact, timeFact, unreadable } from './facts.ts'

/** A webhook that fails for a shorter time is expected to be back by itself, in milliseconds. */
const patience = 3_600_000

function describeTrouble({ name, state, isGivenUp }: Webhook): string {
  if (state === 'unreadable') return `The webhook ${name} cannot be used. ${unreadable}`
  return isGivenUp
    ? `The webhook ${name} was switched off, because it accepted nothing for days.`
    : `The webhook ${name} has accepted nothing for an hour.`
}

/** The servers that are told about events. */
export async function readWebhooks(deps: Deps): Promise<PartReading> {
  const { webhooks } = await presentWebhooks(deps)
  const facts = webhooks.flatMap(({ name, isEnabled, failingSince }) =>
    [
      textFact('State', isEnabled ? 'On' : 'Off'),
      ...(failingSince === null ? [] : [timeFact('Failing since', Date.parse(failingSince))]),
    ].map((fact) => ({ ...fact, group: name })),
  )
  if (webhooks.length === 0) return { state: 'off', words: 'There are no webhooks.', facts }
  const inTrouble = webhooks.filter(
    ({ state, isGivenUp, failingSince }) =>
      state === 'unreadable' ||
      isGivenUp ||
      (failingSince !== null && deps.now() - Date.parse(failingSince) >= patience),
  )
  const [first] = inTrouble
  if (first === undefined) return { state: 'ok', words: 'Events are being sent.', facts }
  return {
    state: 'failing',
    words:
      inTrouble.length === 1
        ? describeTrouble(first)
        : `${formatCount(inTrouble.length, 'webhook does', 'webhooks do')} not work.`,
    facts,
    ...(first.failingSince === null ? {} : { failedAt: first.failingSince }),
  }
}
