import { setTimeout as sleep } from 'node:timers/promises'
import type { ReplyEvent } from '@lyceum/contract/chats'
import type { Deps } from '../../../deps.ts'
import { findMessage, type MessageRow } from '../messages/message-store.ts'
import { presentMessages } from '../messages/present.ts'
import type { Viewer } from '../messages/viewer.ts'
import { buildFinalEvent } from './finish-reply.ts'
import { getReplyManager, interruptLostReplies } from './reply-manager.ts'

const pollInterval = 500

/**
 * Follows a reply by polling its row, because another node writes it or its events are no longer in memory. Text arrives
 * whenever the other node saves it, and citations at the end.
 */
async function* pollReply(
  deps: Deps,
  viewer: Viewer,
  reply: MessageRow,
  after: number,
): AsyncGenerator<ReplyEvent> {
  // Send a status at once, under the reader's own event number, so that the reader knows it is connected.
  if (reply.state === 'streaming') yield { type: 'status', status: 'thinking', seq: after }
  /** How much text the reader has; null until a save ends with the last event that the reader knows. */
  let length: number | null = null
  for (let row: MessageRow | undefined = reply; row; row = await findMessage(deps.db, row.chat_id, row.id)) {
    if (row.state !== 'streaming') {
      yield { ...(await buildFinalEvent(deps, viewer, row)), seq: row.last_event } as ReplyEvent
      return
    }
    if (row.last_event === after) length = row.content.length
    else if (length !== null && row.content.length > length) {
      yield { type: 'delta', text: row.content.slice(length), seq: row.last_event }
      length = row.content.length
    }
    // If no process writes the reply any more, end it here rather than wait for the sweep.
    if ((await interruptLostReplies(deps, { chatId: row.chat_id })) === 0) await sleep(pollInterval)
  }
}

/** The past and future events of a reply after an event number. */
export function followReply(
  deps: Deps,
  viewer: Viewer,
  reply: MessageRow,
  after: number,
): AsyncIterable<ReplyEvent> {
  return getReplyManager(deps).find(reply.id)?.log.resume(after) ?? pollReply(deps, viewer, reply, after)
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
  yield* pollReply(deps, viewer, reply, 1)
}
