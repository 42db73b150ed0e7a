import { DeliveryFailed } from '#providers/outgoing/delivery-failure.ts'
import type { Deps } from '../../../deps.ts'
import { listChainAfter } from '../store.ts'
import { deliver } from './deliver.ts'
import { unsealConfig } from './receiver-config.ts'
import {
  findReceiverRow,
  listDueReceivers,
  type ReceiverRow,
  receiverLeases,
  recordSent,
  updateReceiver,
} from './receiver-store.ts'

/** How often the log is checked for new entries, in milliseconds. */
const pollMs = 2_000
/** A batch takes less time than a lease. */
const entriesPerBatch = 200
/** Milliseconds before the second, third … attempt. The last one repeats. */
const retryDelays = [5_000, 15_000, 60_000, 300_000]

async function recordFailure(deps: Deps, receiver: ReceiverRow, error: DeliveryFailed): Promise<void> {
  const { id, name, failures, failing_since } = receiver
  const now = deps.now()
  const delay = retryDelays[Math.min(failures, retryDelays.length - 1)] ?? 0
  deps.log.warn({ receiver: name, reason: error.message }, 'a receiver did not accept audit entries')
  await updateReceiver(deps.db, id, {
    failing_since: failing_since ?? now,
    last_error: error.message.slice(0, 500),
    failures: failures + 1,
    retry_at: now + Math.max(delay, error.retryAfter ?? 0),
  })
}

/** Sends the next entries. False if there are none, or if the receiver must be left alone for now. */
async function sendBatch(deps: Deps, id: string, signal: AbortSignal): Promise<boolean> {
  const receiver = await findReceiverRow(deps.db, id)
  if (!receiver || receiver.retry_at > deps.now()) return false
  const config = unsealConfig(deps.secrets, receiver.sealed)
  if (!config) return false
  // Entries get their `seq` while the log is locked until the commit, so that none appears before an earlier one.
  const rows = await listChainAfter(deps.db, receiver.sent_seq, entriesPerBatch)
  const last = rows.at(-1)
  if (!last) return false
  try {
    await deliver(deps, config, rows, signal)
  } catch (error) {
    if (signal.aborted) return false
    if (!(error instanceof DeliveryFailed)) throw error
    await recordFailure(deps, receiver, error)
    return false
  }
  deps.faults.reach('audit.sent')
  return recordSent(deps.db, receiver, last.seq, deps.now())
}

/** Sends what waits for a receiver, unless another server is doing so. */
async function sendWaiting(deps: Deps, id: string, signal: AbortSignal): Promise<void> {
  const lease = { id, owner: deps.nodeId }
  if (!(await receiverLeases.take(deps.db, lease, deps.now()))) return
  try {
    while (!signal.aborted && (await sendBatch(deps, id, signal)))
      if (!(await receiverLeases.renew(deps.db, lease, deps.now()))) return
  } finally {
    await receiverLeases.release(deps.db, lease)
  }
}

export interface AuditSender {
  /** Sends what waits for the receivers, each by itself, so that none waits for another. */
  sendDue(): Promise<void>
  start(): void
  /** Stops sending. What a receiver has not confirmed is sent again later. */
  stop(): Promise<void>
}

/** Sends the audit log to its receivers: at least once and in order (docs/decisions/0057). */
export function createAuditSender(deps: Deps): AuditSender {
  const stopping = new AbortController()
  const sending = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> = Promise.resolve()

  function startSending(id: string): Promise<void> {
    const started =
      sending.get(id) ??
      sendWaiting(deps, id, stopping.signal)
        .catch((error: unknown) => deps.log.error({ err: error, id }, 'audit entries could not be sent'))
        .finally(() => sending.delete(id))
    sending.set(id, started)
    return started
  }

  async function findDue(): Promise<string[]> {
    return (await listDueReceivers(deps.db, deps.now())).map(({ id }) => id)
  }

  async function poll(): Promise<void> {
    try {
      for (const id of await findDue()) void startSending(id)
    } catch (error) {
      deps.log.error({ err: error }, 'the receivers of the audit log could not be read')
    }
    schedule()
  }

  function schedule(): void {
    if (stopping.signal.aborted) return
    timer = setTimeout(() => {
      polling = poll()
    }, pollMs)
  }

  return {
    async sendDue() {
      await Promise.all((await findDue()).map(startSending))
    },
    start: schedule,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await polling
      await Promise.all(sending.values())
    },
  }
}
