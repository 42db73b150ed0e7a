import type { AuditReceiver } from '@lyceum/contract/audit-stream'
import type { StatusFact } from '@lyceum/contract/status'
import type { Deps } from '../../deps.ts'
import { presentStream } from '../audit/stream/receivers.ts'
import { countFact, formatCount, type PartReading, textFact, timeFact, unreadable } from './facts.ts'

/** A receiver that fails for a shorter time is expected to be back by itself, in milliseconds. */
const patience = 60_000

function listFacts({ name, kind, sentAt, behind, failure }: AuditReceiver): StatusFact[] {
  const facts = [
    timeFact('Last sent', sentAt === null ? null : Date.parse(sentAt)),
    countFact('Entries waiting', behind),
    ...(failure === null
      ? []
      : [timeFact('Failing since', Date.parse(failure.since)), textFact('Reason', failure.words)]),
    ...(kind === 'unreadable' ? [textFact('Reason', unreadable)] : []),
  ]
  return facts.map((fact) => ({ ...fact, group: name }))
}

/** The servers that get a copy of the audit log. */
export async function readAuditStream(deps: Deps): Promise<PartReading> {
  const { receivers } = await presentStream(deps)
  const facts = receivers.flatMap(listFacts)
  if (receivers.length === 0)
    return { state: 'off', words: 'The audit log is not sent to another server.', facts }
  const failing = receivers.filter(
    ({ kind, failure }) =>
      kind === 'unreadable' || (failure !== null && deps.now() - Date.parse(failure.since) >= patience),
  )
  const [first] = failing
  if (first === undefined) {
    const isNew = receivers.every(({ sentAt }) => sentAt === null)
    return isNew
      ? { state: 'untested', words: 'No entry of the audit log has been sent yet.', facts }
      : { state: 'ok', words: 'The audit log is being sent.', facts }
  }
  const words =
    failing.length === 1
      ? `${first.name} gets no entries of the audit log. ${first.failure?.words ?? unreadable}`
      : `${formatCount(failing.length, 'server gets', 'servers get')} no entries of the audit log.`
  return {
    state: 'failing',
    words,
    facts,
    ...(first.failure && { failedAt: first.failure.since }),
  }
}
