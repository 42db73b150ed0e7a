import type { ReplyEvent } from '@lyceum/contract/chats'
import type { Deps } from '../../../deps.ts'
import { findMessage, type MessageRow } from '../messages/message-store.ts'
import { presentMessages } from '../messages/present.ts'
import type { Viewer } from '../messages/viewer.ts'
import { buildFinalEvent } from './finish-reply.ts'
import { openRemoteFeed, type Position, type RemoteFeed } from './remote-feed.ts'
import { getReplyManager, interruptLostReplies } from './reply-manager.ts'

/** Time between two looks at the row, in milliseconds. */
const pollInterval = 500
/** The same while the shared event log delivers the text and the end. */
const pollIntervalWithLog = 2000
/** The same while a snapshot is awaited that fills a gap. */
const pollIntervalInGap = 100

/** The accepted event, which has no text, is the first one. */
function getLastEvent({ last_event }: MessageRow): number {
  return Math.max(last_event, 1)
}

/** Catches up with a snapshot, if that is possible. */
function* takeSnapshot(row: MessageRow, at: Position): Generator<ReplyEvent> {
  const seq = getLastEvent(row)
  if (seq === at.seq) at.length = row.content.length
  if (seq <= at.seq || at.length === null) return
  const text = row.content.slice(at.length)
  at.seq = seq
  at.length = row.content.length
  if (text !== '') yield { type: 'delta', text, seq }
}

/** Passes on what arrives until it is time to look at the row again. */
async function* takeUntilPoll(deps: Deps, feed: RemoteFeed, at: Position): AsyncGenerator<ReplyEvent> {
  const until = performance.now() + (deps.clusterLinks ? pollIntervalWithLog : pollInterval)
  while (performance.now() < until) {
    yield* feed.take(at)
    if (feed.hasGap(at)) {
      // Without knowing how much text the reader has, only the end can follow.
      if (at.length === null) feed.clear()
      else await feed.requestSnapshot()
      return feed.wait(pollIntervalInGap)
    }
    if (feed.isEnded) return feed.wait(pollIntervalInGap)
    await feed.wait(until - performance.now())
  }
}

/**
 * Follows a reply whose events are not in memory, because another node writes it or because it ended some time ago.
 * Events come from the shared event log. What is missing there comes from the row, which has the text whenever it is
 * saved, and the end.
 */
async function* followRow(
  deps: Deps,
  viewer: Viewer,
  reply: MessageRow,
  after: number,
): AsyncGenerator<ReplyEvent> {
  // Send a status at once, under the reader's own event number, so that the reader knows it is connected.
  if (reply.state === 'streaming') yield { type: 'status', status: 'thinking', seq: after }
  const at: Position = { seq: Math.max(after, 1), length: null }
  const feed = openRemoteFeed(deps, reply)
  try {
    for (
      let row: MessageRow | undefined = reply;
      row;
      row = await findMessage(deps.db, row.chat_id, row.id)
    ) {
      // First, because a snapshot has no events for its citations.
      yield* feed.take(at)
      if (row.state !== 'streaming') {
        yield { ...(await buildFinalEvent(deps, viewer, row)), seq: row.last_event } as ReplyEvent
        return
      }
      yield* takeSnapshot(row, at)
      // If no process writes the reply any more, end it here rather than wait for the sweep.
      if ((await interruptLostReplies(deps, { chatId: row.chat_id })) === 0)
        yield* takeUntilPoll(deps, feed, at)
    }
  } finally {
    feed.close()
  }
}

/** The past and future events of a reply after an event number. */
export function followReply(
  deps: Deps,
  viewer: Viewer,
  reply: MessageRow,
  after: number,
): AsyncIterable<ReplyEvent> {
  return getReplyManager(deps).find(reply.id)?.log.resume(after) ?? followRow(deps, viewer, reply, after)
}

/** All events of a reply from the first one, for a request repeated with its idempotency key. */
export async function* replayReply(
  deps: Deps,
  viewer: Viewer,
  question: MessageRow | null,
  reply: MessageRow,
): AsyncGenerator<ReplyEvent> {
  const inMemory = getReplyManager(deps).find(reply.id)
  if (inMemory) {
    yield* inMemory.log.read(0)
    return
  }
  const shown = await presentMessages(deps, viewer, question ? [question, reply] : [reply])
  const accepted = shown.at(-1)
  if (!accepted) return
  yield { type: 'accepted', seq: 1, message: question ? (shown[0] ?? null) : null, reply: accepted }
  // The accepted reply contains the text of the last snapshot.
  yield* followRow(deps, viewer, reply, getLastEvent(reply))
}
