import type { chatHistoryApi, HistoryDetail, HistoryFilters } from '@lyceum/contract/chat-history'
import type { ReplyOf } from '@lyceum/contract/endpoint'
import { countPages } from '#lib/page.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { readMessagePage, readMessagesFrom } from '../chats/chats.ts'
import { presentMessages } from '../chats/messages/present.ts'
import { auditRead, omitEmptyFilters } from './audit-read.ts'
import { type ChatSelection, getPermittedSearchText, toSelection } from './filters.ts'
import { findChatIds } from './find-chats.ts'
import { presentHistory } from './present.ts'
import {
  channelExists,
  countSelectedChats,
  findHistoriesWithQuestions,
  findHistory,
  type HistoryRow,
  listChatIds,
  userExists,
} from './store.ts'

type HistoryPage = ReplyOf<typeof chatHistoryApi.list>

async function listHistoryPage(
  deps: Deps,
  selection: ChatSelection,
  filters: HistoryFilters,
): Promise<HistoryPage> {
  const [ids, total] = await Promise.all([
    listChatIds(deps.db, selection, filters),
    countSelectedChats(deps.db, selection),
  ])
  const rows = await findHistoriesWithQuestions(deps.db, ids)
  return { chatHistories: rows.map(presentHistory), total, totalPages: countPages(total, filters.limit) }
}

async function searchHistories(
  deps: Deps,
  searchText: string,
  selection: ChatSelection,
  filters: HistoryFilters,
): Promise<HistoryPage> {
  const { ids, isCut, isBuilding } = await findChatIds(deps, searchText, selection, filters)
  const { limit, skip } = filters
  const rows = await findHistoriesWithQuestions(deps.db, ids.slice(skip, skip + limit))
  const total = ids.length
  const totalPages = countPages(total, limit)
  return { chatHistories: rows.map(presentHistory), total, totalPages, isCut, isBuilding }
}

async function listAndAudit(
  deps: Deps,
  actor: Actor,
  filters: HistoryFilters,
  scope: { userId?: string; channelId?: string } = {},
): Promise<HistoryPage> {
  const searchText = getPermittedSearchText(actor, filters)
  const selection = { ...toSelection(filters), ...scope }
  const isContradictory =
    (scope.userId !== undefined && (filters.userId ?? scope.userId) !== scope.userId) ||
    (scope.channelId !== undefined && (filters.channelId ?? scope.channelId) !== scope.channelId)
  const histories = isContradictory
    ? { chatHistories: [], total: 0, totalPages: 0 }
    : await (searchText === null
        ? listHistoryPage(deps, selection, filters)
        : searchHistories(deps, searchText, selection, filters))
  const { length: shown } = histories.chatHistories
  await auditRead(deps, {
    actor,
    action: searchText === null ? 'history.listed' : 'history.searched',
    after: { ...omitEmptyFilters({ ...filters, ...scope }), shown, total: histories.total },
  })
  return histories
}

export function listHistories(deps: Deps, actor: Actor, filters: HistoryFilters): Promise<HistoryPage> {
  return listAndAudit(deps, actor, filters)
}

export async function listUserHistories(
  deps: Deps,
  actor: Actor,
  userId: string,
  filters: HistoryFilters,
): Promise<HistoryPage> {
  if (!(await userExists(deps.db, userId))) throw notFound()
  return listAndAudit(deps, actor, filters, { userId })
}

export async function listChannelHistories(
  deps: Deps,
  actor: Actor,
  channelId: string,
  filters: HistoryFilters,
): Promise<HistoryPage> {
  if (!(await channelExists(deps.db, channelId))) throw notFound()
  return listAndAudit(deps, actor, filters, { channelId })
}

interface Page {
  limit: number
  before?: string | undefined
  after?: string | undefined
}

async function readPage(deps: Deps, chat: HistoryRow, { limit, before, after }: Page) {
  if (after === undefined) return readMessagePage(deps, chat, { limit, before })
  const page = { limit, after: after === 'start' ? null : after }
  return { before: null, ...(await readMessagesFrom(deps, chat, page)) }
}

/** Returns a chat with a page of the messages that its owner sees. */
export async function readHistory(
  deps: Deps,
  actor: Actor,
  chatId: string,
  page: Page,
): Promise<HistoryDetail> {
  const chat = await findHistory(deps.db, chatId)
  if (!chat) throw notFound()
  const { rows, ...cursors } = await readPage(deps, chat, page)
  const viewer = { channelId: chat.channel_id, canSeeDetails: true, isOwner: false }
  const messages = await presentMessages(deps, viewer, rows)
  await auditRead(deps, {
    actor,
    action: 'history.read',
    object: { type: 'chat', id: chatId },
    after: {
      ...omitEmptyFilters({ userId: chat.user_id, channelId: chat.channel_id, ...page }),
      shown: messages.length,
    },
  })
  return { ...presentHistory(chat), messages, ...cursors }
}
