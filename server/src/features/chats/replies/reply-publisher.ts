import type { Logger } from 'pino'
import type { SharedEventLog } from '#providers/shared-event-log/port.ts'
import type { JournalEntry, ReplyJournal } from './reply-journal.ts'

/** Time between the starts of two pushes, in milliseconds. */
const batchInterval = 40
/** Readers wait no longer than this for a batch to be stored, in milliseconds. */
const longestWait = 30

/** A reply has its last event, which other servers read from its row. */
interface EndEntry {
  id: string
  last_event: number
  isEnd: true
}

/** What the shared event log contains. */
export type SharedEntry = JournalEntry | EndEntry

interface Batch {
  entries: readonly SharedEntry[]
  show: () => void
}

/**
 * Shares what the replies of this server write with the other servers of the cluster, in batches, before the readers on
 * this server see it. A slow or broken log delays text only a little.
 */
export interface ReplyPublisher {
  add(entries: readonly SharedEntry[]): void
  /** Resolves when everything added so far is stored or given up. */
  flush(): Promise<void>
}

interface Options {
  eventLog: SharedEventLog
  /** Shows the events of a reply up to this one to its readers on this server. */
  show: (messageId: string, lastEvent: number) => void
  log: Logger
}

export function createReplyPublisher({ eventLog, show, log }: Options): ReplyPublisher {
  let waiting: SharedEntry[] = []
  let unsent: Batch[] = []
  let sending: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let closedAt = Number.NEGATIVE_INFINITY

  function createBatch(entries: readonly SharedEntry[]): Batch {
    function showAll(): void {
      clearTimeout(late)
      for (const { id, last_event } of entries) show(id, last_event)
    }
    const late = setTimeout(showAll, longestWait)
    return { entries, show: showAll }
  }

  async function push(batches: readonly Batch[]): Promise<void> {
    const wasFailing = eventLog.isFailing
    try {
      await eventLog.push(
        batches.flatMap(({ entries }) =>
          entries.map((entry) => ({ messageId: entry.id, content: JSON.stringify(entry) })),
        ),
      )
    } catch (error) {
      // Snapshots replace what is missing now.
      if (!wasFailing) log.warn({ err: error }, 'could not write to the shared event log')
    }
    for (const batch of batches) batch.show()
  }

  /** One push at a time: what arrives in the meantime goes with the next one. */
  async function send(): Promise<void> {
    while (unsent.length > 0) {
      const batches = unsent
      unsent = []
      await push(batches)
    }
    sending = null
  }

  function closeBatch(): void {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    closedAt = performance.now()
    unsent.push(createBatch(waiting))
    waiting = []
    sending ??= send()
  }

  return {
    add(entries) {
      waiting.push(...entries)
      // After a pause, the first words wait for nothing but the push.
      timer ??= setTimeout(closeBatch, Math.max(0, closedAt + batchInterval - performance.now()))
    },
    async flush() {
      closeBatch()
      await sending
    },
  }
}

/** Publishes everything that is written to the journal. */
export function createPublishedJournal(journal: ReplyJournal, publisher: ReplyPublisher): ReplyJournal {
  return {
    append(entries) {
      journal.append(entries)
      publisher.add(entries)
    },
    rotate: journal.rotate,
  }
}
