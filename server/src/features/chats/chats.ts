import {
  type Chat,
  type ChatMessage,
  type Conversation,
  maxPinnedChats,
  maxRecentChats,
  messagePageSize,
  type RecentChat,
  type ReplyEvent,
} from '@lyceum/contract/chats'
import { type ErrorCode, errors } from '@lyceum/contract/errors'
import { listMaximum } from '@lyceum/contract/wire'
import { uuidv7 } from 'uuidv7'
import { countPages } from '#lib/page.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { isSignedIn } from '../auth/authenticate.ts'
import { keepChannelUnchanged, requireMember, requireNotArchived } from '../channels/access.ts'
import { type ChatAddress, type MessageAddress, requireOwnChat, requireOwnReply } from './access.ts'
import { deleteLockedChats } from './delete-chats.ts'
import { findMessage, findPageEnd, findPathTo } from './messages/message-store.ts'
import { presentMessages } from './messages/present.ts'
import { toPreview } from './messages/preview.ts'
import { findViewer } from './messages/viewer.ts'
import { followReply } from './replies/follow-reply.ts'
import { getReplyManager, stopReply } from './replies/reply-manager.ts'
import { sumUsage } from './replies/reply-store.ts'
import {
  type ChatRow,
  countChats,
  countPinnedChats,
  findOwnChat,
  insertChat,
  listChats,
  listRecentChats,
  lockChat,
  lockOwnChat,
  renameChat,
  setPinned,
} from './store.ts'

/** The model's title comes within seconds. After this time, screens stop waiting for it, in milliseconds. */
const titleWait = 60_000

function presentChat(deps: Deps, row: ChatRow): Chat {
  return {
    _id: row.id,
    title: row.title,
    ...(row.title_source === 'pending' && deps.now() - row.updated_at < titleWait
      ? { isTitlePending: true }
      : {}),
    ...(row.is_pinned ? { isPinned: true } : {}),
    ...(row.share_id === null ? {} : { isShared: true }),
    messages:
      row.last_message_role === null
        ? []
        : [
            {
              role: row.last_message_role,
              // Previews stored by an earlier version may contain Markdown.
              content: toPreview(row.last_message_role, row.last_message_preview ?? ''),
              timestamp: new Date(row.last_message_at ?? row.updated_at).toISOString(),
            },
          ],
    messageCount: row.message_count,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  }
}

export async function listOwnChats(
  deps: Deps,
  actor: Actor,
  channelId: string,
  { limit = listMaximum, skip = 0 }: { limit?: number | undefined; skip?: number | undefined },
) {
  await requireMember(deps.db, actor, channelId)
  const [rows, total] = await Promise.all([
    listChats(deps.db, actor.userId, channelId, { limit, skip }),
    countChats(deps.db, actor.userId, channelId),
  ])
  return { chats: rows.map((row) => presentChat(deps, row)), total, totalPages: countPages(total, limit) }
}

/** How many of the latest chats are read to find the recent ones. */
const consideredChats = 50

export async function listRecentOwnChats(deps: Deps, actor: Actor): Promise<{ chats: RecentChat[] }> {
  const limits = { considered: consideredChats, limit: maxRecentChats }
  const rows = await listRecentChats(deps.db, actor.userId, limits)
  return {
    chats: rows.map((row) => ({
      chatId: row.id,
      channelId: row.channel_id,
      channelName: row.channel_name,
      title: row.title,
      updatedAt: new Date(row.updated_at).toISOString(),
    })),
  }
}

export async function createChat(deps: Deps, actor: Actor, channelId: string) {
  const now = deps.now()
  // One transaction, so that no chat is left behind if the membership ends or the channel is archived meanwhile.
  const chat = await deps.db.transaction().execute(async (tx) => {
    await keepChannelUnchanged(tx, channelId)
    requireNotArchived(await requireMember(tx, actor, channelId))
    return insertChat(tx, {
      id: uuidv7(),
      user_id: actor.userId,
      channel_id: channelId,
      created_at: now,
      updated_at: now,
    })
  })
  return presentChat(deps, chat)
}

interface Page {
  limit: number
  before?: string | undefined
}

/**
 * Returns the newest messages of the active path, or those before the message `before`. The returned `before` is null
 * if there are no earlier ones.
 */
export async function readMessagePage(
  deps: Deps,
  chat: Pick<ChatRow, 'id' | 'active_leaf_id'>,
  { limit, before }: Page,
) {
  const cursor = before === undefined ? undefined : await findMessage(deps.db, chat.id, before)
  if (before !== undefined && !cursor) throw notFound()
  const from = cursor ? cursor.parent_id : chat.active_leaf_id
  const rows = from === null ? [] : await findPathTo(deps.db, chat.id, from, limit)
  const [oldest] = rows
  return { rows, before: oldest && oldest.parent_id !== null ? oldest.id : null }
}

/**
 * Returns messages of the active path from its beginning, or those after the message `after`. The returned `after` is
 * null if there are no later ones.
 */
export async function readMessagesFrom(
  deps: Deps,
  chat: Pick<ChatRow, 'id' | 'active_leaf_id'>,
  { limit, after }: { limit: number; after: string | null },
) {
  const leaf = chat.active_leaf_id
  const end = leaf === null ? undefined : await findPageEnd(deps.db, chat.id, leaf, after, limit)
  if (!end) {
    if (after !== null && after !== leaf) throw notFound()
    return { rows: [], after: null }
  }
  const rows = await findPathTo(deps.db, chat.id, end.id, end.size)
  return { rows, after: end.id === leaf ? null : end.id }
}

export async function getConversation(
  deps: Deps,
  actor: Actor,
  address: ChatAddress,
  page: Page,
): Promise<Conversation> {
  const chat = await requireOwnChat(deps, actor, address)
  const { rows, before } = await readMessagePage(deps, chat, page)
  return {
    chatId: chat.id,
    title: chat.title,
    messages: await presentMessages(deps, await findViewer(deps, actor, chat.channel_id), rows),
    before,
    total: chat.message_count,
  }
}

export async function followOwnReply(deps: Deps, actor: Actor, address: MessageAddress, after: number) {
  const { chat, reply } = await requireOwnReply(deps, actor, address)
  return followReply(deps, await findViewer(deps, actor, chat.channel_id), reply, after)
}

export async function stopOwnReply(deps: Deps, actor: Actor, address: MessageAddress): Promise<ChatMessage> {
  const { chat, reply } = await requireOwnReply(deps, actor, address)
  if (reply.state === 'streaming') await stopReply(deps, reply)
  const stopped = await findMessage(deps.db, chat.id, reply.id)
  const viewer = await findViewer(deps, actor, chat.channel_id)
  const [shown] = stopped ? await presentMessages(deps, viewer, [stopped]) : []
  if (!shown) throw notFound()
  return shown
}

/** Checks the session again, because minutes may have passed since the request was authorized. */
export async function presentFinishedReply(
  deps: Deps,
  actor: Actor,
  address: ChatAddress,
  finalEvent: ReplyEvent,
) {
  if (!(await isSignedIn(deps, actor))) throw new AppError('auth.session_ended')
  return presentEndedReply(deps, actor, address, finalEvent)
}

/** The JSON response for a reply that has ended: the content of its final event, and the messages around it. */
export async function presentEndedReply(
  deps: Deps,
  actor: Actor,
  address: ChatAddress,
  finalEvent: ReplyEvent,
) {
  const chat = await requireOwnChat(deps, actor, address)
  if (finalEvent.type === 'error') {
    const code = finalEvent.code as ErrorCode
    const known = getReplyManager(deps).find(finalEvent.reply._id)?.retryAfter
    const retryAfter = known ?? (errors[code].status === 503 ? 2 : undefined)
    throw new AppError(code, retryAfter === undefined ? {} : { retryAfter })
  }
  if (finalEvent.type !== 'done') throw new AppError('server.busy', { retryAfter: 2 })
  const rows = await findPathTo(deps.db, chat.id, finalEvent.reply._id, messagePageSize)
  const viewer = await findViewer(deps, actor, chat.channel_id)
  const messages = await presentMessages(deps, viewer, rows)
  const tokenUsage = await sumUsage(deps.db, finalEvent.reply._id)
  return {
    chatId: chat.id,
    message: messages.at(-2) ?? null,
    reply: messages.at(-1) ?? finalEvent.reply,
    messages,
    usage: tokenUsage
      ? {
          inputTokens: tokenUsage.input,
          outputTokens: tokenUsage.output,
          estimated: tokenUsage.estimated === 1,
        }
      : null,
  }
}

/** Whether a reader may continue: the session, the membership and the chat still exist. */
export async function canStillRead(deps: Deps, actor: Actor, { channelId, chatId }: ChatAddress) {
  return (
    (await isSignedIn(deps, actor)) &&
    (await findOwnChat(deps.db, actor.userId, channelId, chatId)) !== undefined
  )
}

export async function renameOwnChat(deps: Deps, actor: Actor, address: ChatAddress, title: string) {
  const chat = await requireOwnChat(deps, actor, address)
  await renameChat(deps.db, chat.id, title)
  return presentChat(deps, { ...chat, title, title_source: null })
}

/** Locks the user, so that concurrent requests cannot exceed the limit together. */
export function pinOwnChat(
  deps: Deps,
  actor: Actor,
  { channelId, chatId }: ChatAddress,
  isPinned: boolean,
): Promise<Chat> {
  return deps.db.transaction().execute(async (tx) => {
    const chat = await lockOwnChat(tx, actor.userId, channelId, chatId)
    if (!chat) throw notFound()
    if (isPinned && !chat.is_pinned) {
      const pinned = await countPinnedChats(tx, actor.userId, channelId)
      if (pinned >= maxPinnedChats) throw new AppError('chat.too_many_pinned')
    }
    await setPinned(tx, chat.id, isPinned)
    return presentChat(deps, { ...chat, is_pinned: isPinned ? 1 : 0 })
  })
}

/** Deletes the chat, then ends a reply that is still being written in it. */
export async function deleteOwnChat(deps: Deps, actor: Actor, address: ChatAddress) {
  const chat = await requireOwnChat(deps, actor, address)
  await deps.db.transaction().execute(async (tx) => {
    await lockChat(tx, chat.id)
    await deleteLockedChats(tx, [chat.id], deps.now())
  })
  getReplyManager(deps).endChat(chat.id)
  return { message: 'Chat deleted successfully' }
}
