import type { ReplyEvent } from '@lyceum/contract/chats'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { parseCitations } from '../../answering/stored-citations.ts'
import { keepChannelUnchanged, requireMember, requireNotArchived } from '../../channels/access.ts'
import { spendQuota } from '../../quotas/spend-quota.ts'
import type { ChatAddress } from '../access.ts'
import { setMessage } from '../attachments/attachment-store.ts'
import { requireNamedPicturesTaken } from '../attachments/check-picture.ts'
import type { ChatTurn } from '../attachments/find-pictures.ts'
import { requireAttachmentsAllowed } from '../attachments/upload-attachment.ts'
import {
  findFirstReply,
  findMessageByKey,
  insertMessage,
  type MessageRow,
} from '../messages/message-store.ts'
import { toPreview } from '../messages/preview.ts'
import { createViewer, type Viewer } from '../messages/viewer.ts'
import { advanceChat, type ChatRow, lockOwnChat } from '../store.ts'
import { nameAfterQuestion } from '../titles/name-chat.ts'
import { replayReply } from './follow-reply.ts'
import { getReplyManager, interruptLostReplies } from './reply-manager.ts'
import { beginLease, findBusyChats } from './reply-store.ts'
import type { ReplyTask } from './reply-writer.ts'

const maxRepliesPerUser = 2

/** The common input of sending, editing, regenerating and continuing. */
export interface ReplyRequest {
  actor: Actor
  address: ChatAddress
  idempotencyKey: string | null
}

/** What the reply answers: a new message below `parentId`, or an existing message. */
type Plan =
  | {
      content: string
      parentId: string | null
      attachmentIds?: readonly string[]
      /** Earlier turns that are not stored. Replaces those of the chat. */
      history?: readonly ChatTurn[]
    }
  /** `interrupted` is the reply to continue, if any. */
  | { question: MessageRow; interrupted?: MessageRow }

/** What differs between sending, editing, regenerating and continuing. Both functions run after the chat is locked. */
export interface ReplyPlanner {
  plan: (tx: Tx, chat: ChatRow) => Promise<Plan>
  /** Whether the message stored under the idempotency key belongs to the same request. */
  isSameRequest: (tx: Tx, chat: ChatRow, known: MessageRow) => Promise<boolean>
}

type AcceptedRequest = { existing: MessageRow; viewer: Viewer } | { task: ReplyTask }

/** Do not change the stored form: a message sent before an upgrade and repeated after it must not be sent twice. */
function buildStoredKey({ actor, address, idempotencyKey }: ReplyRequest): string | null {
  return idempotencyKey === null ? null : `${actor.userId}/${address.chatId}/${idempotencyKey}`
}

/**
 * Allows one running reply per chat and two per user. The caller has locked the user and the chat, so concurrent
 * requests cannot pass together.
 */
async function requireReplySlot(tx: Tx, { actor, address }: ReplyRequest, now: number): Promise<void> {
  const busyChats = await findBusyChats(tx, actor.userId, now)
  if (busyChats.includes(address.chatId)) throw new AppError('chat.busy')
  if (busyChats.length >= maxRepliesPerUser) throw new AppError('chat.too_many', { retryAfter: 5 })
}

/** A continued reply starts with the text and citations of the interrupted one. */
function copyWrittenColumns(interrupted: MessageRow) {
  const { content, citations, mode, requested_model, actual_model } = interrupted
  const { has_documents, removed_citations, unchecked_citations } = interrupted
  return {
    ...{ content, citations, mode, requested_model, actual_model },
    ...{ has_documents, removed_citations, unchecked_citations },
  }
}

async function attachFiles(
  tx: Tx,
  chatId: string,
  attachmentIds: readonly string[],
  messageId: string,
): Promise<void> {
  const attached = await setMessage(tx, chatId, attachmentIds, messageId)
  if (attached !== attachmentIds.length) throw new AppError('attachment.unknown')
}

/**
 * Stores the user's message, if it is new, and the row of its reply in one transaction. The reply has a lease from the
 * start: if this node dies before writing anything, the sweep still ends the reply.
 */
async function storeMessages(
  deps: Deps,
  tx: Tx,
  { actor, chat, key, plan }: { actor: Actor; chat: ChatRow; key: string | null; plan: Plan },
) {
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
  if (isNew && plan.attachmentIds?.length) await attachFiles(tx, chat.id, plan.attachmentIds, question.id)
  if (isNew && (chat.title === null || question.parent_id === null))
    await nameAfterQuestion(tx, chat, question)
  const interrupted = isNew ? undefined : plan.interrupted
  const reply = await insertMessage(tx, {
    id: uuidv7(),
    chat_id: chat.id,
    content: '',
    ...(interrupted ? copyWrittenColumns(interrupted) : {}),
    parent_id: question.id,
    role: 'assistant',
    ...beginLease(tx, deps.nodeId, now),
    asked_by: actor.userId,
    idempotency_key: isNew ? null : key,
    created_at: now,
  })
  await advanceChat(tx, chat.id, {
    leafId: reply.id,
    added: isNew ? 2 : 1,
    last: isNew ? { role: 'user', preview: toPreview('user', question.content), at: now } : null,
    now,
  })
  return {
    question,
    reply,
    isNewQuestion: isNew,
    interrupted: interrupted ? { text: interrupted.content, citations: parseCitations(interrupted) } : null,
  }
}

/**
 * Checks and stores a request in one transaction. The channel lock decides the race with archiving. The user lock enforces the limit across all chats; the chat lock keeps
 * two requests from replying to the same leaf.
 */
async function acceptRequest(
  deps: Deps,
  request: ReplyRequest,
  planner: ReplyPlanner,
): Promise<AcceptedRequest> {
  const { actor, address } = request
  const key = buildStoredKey(request)
  return deps.db.transaction().execute(async (tx): Promise<AcceptedRequest> => {
    await keepChannelUnchanged(tx, address.channelId)
    const chat = await lockOwnChat(tx, actor.userId, address.channelId, address.chatId)
    if (!chat) throw notFound()
    const channel = await requireMember(tx, actor, address.channelId)
    // Look it up under the locks: a concurrent request with the same key waits and then finds the stored message.
    const known = key === null ? undefined : await findMessageByKey(tx, key)
    if (known) {
      // Returning the earlier result here would make a different message look sent and lose it.
      if (!(await planner.isSameRequest(tx, chat, known))) throw new AppError('request.key_reused')
      return { existing: known, viewer: createViewer(actor, channel) }
    }
    requireNotArchived(channel)
    const plan = await planner.plan(tx, chat)
    if ('content' in plan && plan.attachmentIds?.length) {
      requireAttachmentsAllowed(channel)
      await requireNamedPicturesTaken(deps, tx, channel, chat.id, plan.attachmentIds)
    }
    await requireReplySlot(tx, request, deps.now())
    const stored = await storeMessages(deps, tx, { actor, chat, key, plan })
    // Last, because all users share some of the usage counters, which stay locked until the commit.
    await spendQuota(tx, {
      userId: actor.userId,
      channelId: channel.id,
      isNewMessage: stored.isNewQuestion,
      now: stored.reply.created_at,
    })
    const history = 'content' in plan ? (plan.history ?? null) : null
    const task = { actor, channel, history, ...stored }
    getReplyManager(deps).expect(task)
    return { task }
  })
}

/** A request repeated with its idempotency key gets the events of the first one. */
async function joinReply(
  deps: Deps,
  { existing: known, viewer }: { existing: MessageRow; viewer: Viewer },
): Promise<AsyncIterable<ReplyEvent>> {
  const question = known.role === 'assistant' ? null : known
  const reply = question ? await findFirstReply(deps.db, question.id) : known
  if (!reply) throw notFound()
  // The answer to the COMMIT of the first request may have been lost.
  getReplyManager(deps).startExpected(reply.id)
  return replayReply(deps, viewer, question, reply)
}

/** Stores the request and starts the reply, which keeps running whether or not anyone is reading. */
export async function beginReply(
  deps: Deps,
  request: ReplyRequest,
  planner: ReplyPlanner,
): Promise<AsyncIterable<ReplyEvent>> {
  const manager = getReplyManager(deps)
  manager.requireCapacity()
  await deps.disk.requireRoom()
  // A reply whose node died must not keep its chat busy.
  await interruptLostReplies(deps, { chatId: request.address.chatId, userId: request.actor.userId })
  const accepted = await acceptRequest(deps, request, planner)
  if ('existing' in accepted) return joinReply(deps, accepted)
  // If the process dies here, the reply is interrupted at the next start or once its lease expires.
  deps.faults.reach('message.committed')
  return manager.start(accepted.task).log.read(0)
}
