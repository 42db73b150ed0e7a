import type { ReplyEvent } from '@lyceum/contract/chats'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { scopeIdempotencyKey } from '../../../idempotency-key.ts'
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

/** Whose call it is and where: what sending, editing and asking again have in common. */
export interface Asking {
  actor: Actor
  address: ChatAddress
  idempotencyKey: string | null
}

/** What the reply answers: a new message below a parent, or one that is there already. */
type Plan =
  | { content: string; parentId: string | null }
  /** With the reply that is written on, if one is. */
  | { question: MessageRow; broken?: MessageRow }

/** What is asked for, as the chat stands once it is held. */
export interface Deed {
  plan: (tx: Tx, chat: ChatRow) => Promise<Plan>
  /** Whether what was stored under the caller's key is what is asked for now. */
  made: (tx: Tx, chat: ChatRow, known: MessageRow) => Promise<boolean>
}

type Accepted = { joined: MessageRow } | { task: ReplyTask }

function scoped({ actor, address, idempotencyKey }: Asking): string | null {
  return scopeIdempotencyKey(idempotencyKey, actor.userId, address.chatId)
}

/** One reply at a time in a chat, two for a person: counted while both are locked, so that no two calls pass at once. */
async function requireTurn(tx: Tx, { actor, address }: Asking, now: number): Promise<void> {
  if ((await countRunning(tx, { chatId: address.chatId }, now)) > 0) throw new AppError('chat.busy')
  if ((await countRunning(tx, { userId: actor.userId }, now)) >= repliesAtOnce)
    throw new AppError('chat.too_many', { retryAfter: 5 })
}

function writtenBefore({ content, citations, mode, requested_model, actual_model }: MessageRow) {
  return {
    content,
    citations,
    mode,
    requested_model,
    actual_model,
  }
}

/** The person's message and the row of its reply, written together: either both are there or neither. */
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

async function accept(deps: Deps, asking: Asking, deed: Deed): Promise<Accepted> {
  const { actor, address } = asking
  const key = scoped(asking)
  return deps.db.transaction().execute(async (tx): Promise<Accepted> => {
    const chat = await lockOwnChat(tx, actor.userId, address.channelId, address.chatId)
    if (!chat) throw notFound()
    const channel = await requireMember(tx, actor, address.channelId)
    const known = key === null ? undefined : await findMessageByKey(tx, key)
    if (known) {
      // Answered with what the key stands for, something else would pass for sent and be lost.
      if (!(await deed.made(tx, chat, known))) throw new AppError('request.key_reused')
      return { joined: known }
    }
    const plan = await deed.plan(tx, chat)
    await requireTurn(tx, asking, deps.now())
    const stored = await store(deps, tx, chat, key, plan)
    await spendQuota(tx, {
      userId: actor.userId,
      channelId: channel.id,
      isNewMessage: stored.isNewQuestion,
      now: stored.reply.created_at,
    })
    return { task: { actor, channel, ...stored } }
  })
}

/** A call repeated with its key gets what the first one got. */
async function join(deps: Deps, { address }: Asking, known: MessageRow): Promise<AsyncIterable<ReplyEvent>> {
  if (known.role === 'assistant') return rereadReply(deps, address.channelId, null, known)
  const reply = await findFirstReply(deps.db, known.id)
  if (!reply) throw notFound()
  return rereadReply(deps, address.channelId, known, reply)
}

/** Stores what a deed asks for and begins its reply, which runs on whoever reads it. */
export async function beginReply(deps: Deps, asking: Asking, deed: Deed): Promise<AsyncIterable<ReplyEvent>> {
  const manager = replyManager(deps)
  manager.admit()
  // A reply whose node died must not keep its chat busy.
  await interruptReplies(deps, { before: deps.now(), chatId: asking.address.chatId })
  const accepted = await accept(deps, asking, deed)
  if ('joined' in accepted) return join(deps, asking, accepted.joined)
  deps.faults.reach('message.committed')
  return manager.start(accepted.task).log.read(0)
}
