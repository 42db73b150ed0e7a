import { setTimeout as sleep } from 'node:timers/promises'
import type { ReplyEvent } from '@lyceum/contract/chats'
import type { Deps } from '../../../deps.ts'
import { findMessage, type MessageRow } from '../messages/message-store.ts'
import { presentMessages } from '../messages/present.ts'
import { finalEvent } from './finish-reply.ts'
import { interruptReplies, replyManager } from './reply-manager.ts'

const pollEvery = 500

/** A reply whose events are not in this process: another node writes it, or it ended long ago. */
async function* followRow(
  deps: Deps,
  channelId: string,
  reply: MessageRow,
  after: number,
): AsyncGenerator<ReplyEvent> {
  // Sent at once so that the reader knows it is connected; its number is the reader's own.
  if (reply.state === 'streaming') yield { type: 'status', status: 'thinking', seq: after }
  for (let row: MessageRow | undefined = reply; row; row = await findMessage(deps.db, row.chat_id, row.id)) {
    if (row.state !== 'streaming') {
      yield { ...(await finalEvent(deps, channelId, row)), seq: row.last_event } as ReplyEvent
      return
    }
    if ((row.lease_until ?? 0) < deps.now())
      await interruptReplies(deps, { before: deps.now(), chatId: row.chat_id })
    else await sleep(pollEvery)
  }
}

/** The events of a reply after a number, those already past and those to come. */
export function readReply(
  deps: Deps,
  channelId: string,
  reply: MessageRow,
  after: number,
): AsyncIterable<ReplyEvent> {
  return replyManager(deps).find(reply.id)?.log.resume(after) ?? followRow(deps, channelId, reply, after)
}

/** The same from the beginning, for a call that was made before with the same key. */
export async function* rereadReply(
  deps: Deps,
  channelId: string,
  question: MessageRow | null,
  reply: MessageRow,
): AsyncGenerator<ReplyEvent> {
  const here = replyManager(deps).find(reply.id)
  if (here) {
    yield* here.log.read(0)
    return
  }
  const shown = await presentMessages(deps, channelId, question ? [question, reply] : [reply])
  const accepted = shown.at(-1)
  if (!accepted) return
  yield { type: 'accepted', seq: 1, message: question ? (shown[0] ?? null) : null, reply: accepted }
  yield* followRow(deps, channelId, reply, 1)
}
