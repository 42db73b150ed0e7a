import type { ReplyEvent } from '@lyceum/contract/chats'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { citationsOf } from '../../answering/stored-citations.ts'
import { requireMember } from '../../channels/access.ts'
import { spendQuota } from '../../quotas/spend-quota.ts'
import {
  findFirstReply,
  findMessageByKey,
  insertMessage,
  type MessageRow,
} from '../messages/message-store.ts'
import { previewOf } from '../messages/preview.ts'
import { advanceChat, type ChatRow, lockOwnChat } from '../store.ts'
import { rereadReply } from './follow-reply.ts'
import { interruptReplies, replyManager } from './reply-manager.ts'
import { countRunning, leaseTime } from './reply-store.ts'
import type { ReplyTask } from './reply-writer.ts'

const repliesAtOnce = 2

export interface ChatAddress {
  channelId: string
  chatId: string
}

/** What requests to send, edit, regenerate and continue have in common. */
export interface Asking {
  actor: Actor
  address: ChatAddress
  idempotencyKey: string | null
}

/** What the reply answers: a new message below `parentId`, or an existing message. */
type Plan =
  | { content: string; parentId: string | null }
  /** `broken` is the interrupted reply to continue, if any. */
  | { question: MessageRow; broken?: MessageRow }

/** The part of a request that depends on its kind. Both functions run after the chat is locked. */
export interface Deed {
  plan: (tx: Tx, chat: ChatRow) => Promise<Plan>
  /** Whether the message stored under the idempotency key belongs to the same request. */
  made: (tx: Tx, chat: ChatRow, known: MessageRow) => Promise<boolean>
}

type Accepted = { joined: MessageRow } | { task: ReplyTask }

/** Do not change the stored form: a message sent before an upgrade and repeated after it must not be sent twice. */
function scoped({ actor, address, idempotencyKey }: Asking): string | null {
  return idempotencyKey === null ? null : `${actor.userId}/${address.chatId}/${idempotencyKey}`
}

/**
 * Allows one running reply per chat and two per user. The caller has locked the user and the chat, so concurrent
 * requests cannot pass together.
 */
async function requireTurn(tx: Tx, { actor, address }: Asking, now: number): Promise<void> {
  if ((await countRunning(tx, { chatId: address.chatId }, now)) > 0) throw new AppError('chat.busy')
  if ((await countRunning(tx, { userId: actor.userId }, now)) >= repliesAtOnce)
    throw new AppError('chat.too_many', { retryAfter: 5 })
}

/** A continued reply starts with the text and citations of the interrupted one. */
function writtenBefore({ content, citations, mode, requested_model, actual_model }: MessageRow) {
  return {
    content,
    citations,
    mode,
    requested_model,
    actual_model,
  }
}

/**
 * Stores the user's message, if it is new, and the row of its reply in one transaction. The reply has a lease from the
 * start: if this node dies before writing anything, the sweep still ends the reply.
 */
async function store(deps: Deps, tx: Tx, chat: ChatRow, key: string | null, plan: Plan) {
  const now = deps.now()
  const isNew = 'content' in plan
  const question = isNew
    ? await insertMessage(tx, {
        id: uuidv7(),
        chat_id: chat.id,
        parent_id: plan.parentId,
        role: 'user',
        content: plan.content,
        idempotency_key: key,
        created_at: now,
      })
    : plan.question
  const broken = isNew ? undefined : plan.broken
  const reply = await insertMessage(tx, {
    id: uuidv7(),
    chat_id: chat.id,
    content: '',
    ...(broken ? writtenBefore(broken) : {}),
    parent_id: question.id,
    role: 'assistant',
    state: 'streaming',
    lease_owner: deps.nodeId,
    lease_until: now + leaseTime,
    idempotency_key: isNew ? null : key,
    created_at: now,
  })
  await advanceChat(tx, chat.id, {
    leafId: reply.id,
    added: isNew ? 2 : 1,
    last: isNew ? { role: 'user', preview: previewOf(question.content), at: now } : null,
    now,
  })
  const continued = broken ? { text: broken.content, citations: citationsOf(broken) } : null
  return { question, reply, isNewQuestion: isNew, continued }
}

/**
 * Checks and stores a request in one transaction. The user lock enforces the limit across all chats; the chat lock keeps
 * two requests from replying to the same leaf.
 */
async function accept(deps: Deps, asking: Asking, deed: Deed): Promise<Accepted> {
  const { actor, address } = asking
  const key = scoped(asking)
  return deps.db.transaction().execute(async (tx): Promise<Accepted> => {
    const chat = await lockOwnChat(tx, actor.userId, address.channelId, address.chatId)
    if (!chat) throw notFound()
    const channel = await requireMember(tx, actor, address.channelId)
    // Looked up under the locks: a concurrent request with the same key waits and then finds the stored message.
    const known = key === null ? undefined : await findMessageByKey(tx, key)
    if (known) {
      // Returning the earlier result here would make a different message look sent and lose it.
      if (!(await deed.made(tx, chat, known))) throw new AppError('request.key_reused')
      return { joined: known }
    }
    const plan = await deed.plan(tx, chat)
    await requireTurn(tx, asking, deps.now())
    const stored = await store(deps, tx, chat, key, plan)
    // Last, because all users share some of the usage counters, which stay locked until the commit.
    await spendQuota(tx, {
      userId: actor.userId,
      channelId: channel.id,
      isNewMessage: stored.isNewQuestion,
      now: stored.reply.created_at,
    })
    return { task: { actor, channel, ...stored } }
  })
}

/** A request repeated with its idempotency key gets the events of the first one. */
async function join(deps: Deps, { address }: Asking, known: MessageRow): Promise<AsyncIterable<ReplyEvent>> {
  if (known.role === 'assistant') return rereadReply(deps, address.channelId, null, known)
  const reply = await findFirstReply(deps.db, known.id)
  if (!reply) throw notFound()
  return rereadReply(deps, address.channelId, known, reply)
}

/** Stores the request and starts the reply, which keeps running whether or not anyone is reading. */
export async function beginReply(deps: Deps, asking: Asking, deed: Deed): Promise<AsyncIterable<ReplyEvent>> {
  const manager = replyManager(deps)
  manager.admit()
  // A reply whose node died must not keep its chat busy.
  await interruptReplies(deps, { before: deps.now(), chatId: asking.address.chatId })
  const accepted = await accept(deps, asking, deed)
  if ('joined' in accepted) return join(deps, asking, accepted.joined)
  // If the process dies here, the reply is interrupted at the next start or once its lease expires.
  deps.faults.reach('message.committed')
  return manager.start(accepted.task).log.read(0)
}
