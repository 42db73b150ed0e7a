import { setTimeout as sleep } from 'node:timers/promises'
import type { ReplyEvent } from '@lyceum/contract/chats'
import type { Deps } from '../../../deps.ts'
import type { MessageRow } from '../messages/message-store.ts'
import type { JournalEntry } from './reply-journal.ts'
import type { SharedEntry } from './reply-publisher.ts'

/** How far a reader has come in a reply. */
export interface Position {
  /** The number of the last event that they have. */
  seq: number
  /** How much text they have; null if that is not known. */
  length: number | null
}

/** The events of a reply that another node writes. */
export interface RemoteFeed {
  /** The events that follow the position, which moves with each of them. Ends where something is missing. */
  take(at: Position): Generator<ReplyEvent>
  /** Whether the events after the position are missing, although later ones have arrived. */
  hasGap(at: Position): boolean
  /** Whether the other node has ended the reply. */
  readonly isEnded: boolean
  /** Forgets what has arrived. */
  clear(): void
  /** Asks the other node to save the reply now. */
  requestSnapshot(): Promise<void>
  /** Waits until something arrives, but no longer than this. */
  wait(ms: number): Promise<void>
  close(): void
}

function toEvent({ text, citations: [citation], status, last_event: seq }: JournalEntry): ReplyEvent | null {
  if (status !== undefined) return { type: 'status', status, seq }
  if (citation) return { type: 'citation', citation: { ...citation, available: true }, seq }
  return text === '' ? null : { type: 'delta', text, seq }
}

/** Without a cluster, or for a reply that has ended, nothing ever arrives. */
export function openRemoteFeed(
  { clusterLinks: links }: Deps,
  { id, lease_owner: owner }: MessageRow,
): RemoteFeed {
  let entries: JournalEntry[] = []
  let isEnded = false
  let wake = new AbortController()

  function receive(contents: readonly string[]): void {
    for (const content of contents) {
      const entry = JSON.parse(content) as SharedEntry
      if ('isEnd' in entry) isEnded = true
      else entries.push(entry)
    }
    wake.abort()
  }

  const stop = links && owner !== null ? links.eventLog.follow(owner, id, receive) : () => undefined
  return {
    *take(at) {
      for (let entry = entries[0]; entry && entry.last_event <= at.seq + 1; entry = entries[0]) {
        entries.shift()
        if (entry.last_event >= at.seq) at.length = entry.from + entry.text.length
        if (entry.last_event <= at.seq) continue
        at.seq = entry.last_event
        const event = toEvent(entry)
        if (event) yield event
      }
    },
    hasGap: ({ seq }) => (entries[0]?.last_event ?? 0) > seq + 1,
    get isEnded() {
      return isEnded
    },
    clear() {
      entries = []
    },
    async requestSnapshot() {
      if (links && owner !== null) await links.wake.send(owner, 'save', id)
    },
    async wait(ms) {
      if (wake.signal.aborted) wake = new AbortController()
      else await sleep(ms, undefined, { signal: wake.signal }).catch(() => undefined)
    },
    close: stop,
  }
}
