import type { chatHistoryApi, HistoryDetail, HistoryFilters } from '@lyceum/contract/chat-history'
import type { ReplyOf } from '@lyceum/contract/endpoint'
import { countPages } from '#lib/page.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { readMessagePage } from '../chats/chats.ts'
import { presentMessages } from '../chats/messages/present.ts'
import { auditRead, omitEmptyFilters } from './audit-read.ts'
import { type ChatSelection, requireSearchText, toSelection } from './filters.ts'
import { findChatIds } from './find-chats.ts'
import { presentHistory } from './present.ts'
import { channelExists, countSelected, findHistories, findHistory, listIds, userExists } from './store.ts'

type Histories = ReplyOf<typeof chatHistoryApi.list>

async function listAll(deps: Deps, selection: ChatSelection, filters: HistoryFilters): Promise<Histories> {
  const [ids, total] = await Promise.all([
    listIds(deps.db, selection, filters),
    countSelected(deps.db, selection),
  ])
  const rows = await findHistories(deps.db, ids)
  return { chatHistories: rows.map(presentHistory), total, totalPages: countPages(total, filters.limit) }
}

async function searchHistories(
  deps: Deps,
  words: string,
  selection: ChatSelection,
  filters: HistoryFilters,
): Promise<Histories> {
  const { ids, isCut, isBuilding } = await findChatIds(deps, words, selection, filters)
  const { limit, skip } = filters
  const rows = await findHistories(deps.db, ids.slice(skip, skip + limit))
  const total = ids.length
  const totalPages = countPages(total, limit)
  return { chatHistories: rows.map(presentHistory), total, totalPages, isCut, isBuilding }
}

async function listAndAudit(
  deps: Deps,
  actor: Actor,
  filters: HistoryFilters,
  of: { userId?: string; channelId?: string } = {},
): Promise<Histories> {
  const words = requireSearchText(actor, filters)
  const selection = { ...toSelection(filters), ...of }
  const isContradictory =
    (of.userId !== undefined && (filters.userId ?? of.userId) !== of.userId) ||
    (of.channelId !== undefined && (filters.channelId ?? of.channelId) !== of.channelId)
  const histories = isContradictory
    ? { chatHistories: [], total: 0, totalPages: 0 }
    : await (words === null
        ? listAll(deps, selection, filters)
        : searchHistories(deps, words, selection, filters))
  const { length: shown } = histories.chatHistories
  await auditRead(deps, {
    actor,
    action: words === null ? 'history.listed' : 'history.searched',
    after: { ...omitEmptyFilters({ ...filters, ...of }), shown, total: histories.total },
  })
  return histories
}

export function listHistories(deps: Deps, actor: Actor, filters: HistoryFilters): Promise<Histories> {
  return listAndAudit(deps, actor, filters)
}

export async function listUserHistories(
  deps: Deps,
  actor: Actor,
  userId: string,
  filters: HistoryFilters,
): Promise<Histories> {
  if (!(await userExists(deps.db, userId))) throw notFound()
  return listAndAudit(deps, actor, filters, { userId })
}

export async function listChannelHistories(
  deps: Deps,
  actor: Actor,
  channelId: string,
  filters: HistoryFilters,
): Promise<Histories> {
  if (!(await channelExists(deps.db, channelId))) throw notFound()
  return listAndAudit(deps, actor, filters, { channelId })
}

/** One chat with a page of the messages its owner sees. */
export async function readHistory(
  deps: Deps,
  actor: Actor,
  chatId: string,
  page: { limit: number; before?: string | undefined },
): Promise<HistoryDetail> {
  const chat = await findHistory(deps.db, chatId)
  if (!chat) throw notFound()
  const { rows, before } = await readMessagePage(deps, chat, page)
  const messages = await presentMessages(deps, chat.channel_id, rows)
  await auditRead(deps, {
    actor,
    action: 'history.read',
    object: { type: 'chat', id: chatId },
    after: {
      ...omitEmptyFilters({ userId: chat.user_id, channelId: chat.channel_id, ...page }),
      shown: messages.length,
    },
  })
  return { ...presentHistory(chat), messages, before }
}
