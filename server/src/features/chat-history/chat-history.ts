import type { chatHistoryApi, HistoryDetail, HistoryFilters } from '@lyceum/contract/chat-history'
import type { ReplyOf } from '@lyceum/contract/endpoint'
import { countPages } from '#lib/page.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { pageOf } from '../chats/chats.ts'
import { presentMessages } from '../chats/messages/present.ts'
import { asked, auditRead } from './audit-read.ts'
import { type ChatSelection, selectionOf, wordsOf } from './filters.ts'
import { findIds } from './find-chats.ts'
import { presentHistory } from './present.ts'
import { channelExists, countSelected, findHistory, historiesOf, pageOfIds, personExists } from './store.ts'

type Histories = ReplyOf<typeof chatHistoryApi.list>

async function allOf(deps: Deps, selection: ChatSelection, filters: HistoryFilters): Promise<Histories> {
  const [ids, total] = await Promise.all([
    pageOfIds(deps.db, selection, filters),
    countSelected(deps.db, selection),
  ])
  const rows = await historiesOf(deps.db, ids)
  return { chatHistories: rows.map(presentHistory), total, totalPages: countPages(total, filters.limit) }
}

async function withWords(
  deps: Deps,
  words: string,
  selection: ChatSelection,
  filters: HistoryFilters,
): Promise<Histories> {
  const { ids, isCut, isBuilding } = await findIds(deps, words, selection, filters)
  const { limit, skip } = filters
  const rows = await historiesOf(deps.db, ids.slice(skip, skip + limit))
  const total = ids.length
  const totalPages = countPages(total, limit)
  return { chatHistories: rows.map(presentHistory), total, totalPages, isCut, isBuilding }
}

async function listed(
  deps: Deps,
  actor: Actor,
  filters: HistoryFilters,
  of: { userId?: string; channelId?: string } = {},
): Promise<Histories> {
  const words = wordsOf(actor, filters)
  const selection = { ...selectionOf(filters), ...of }
  const isContradictory =
    (of.userId !== undefined && (filters.userId ?? of.userId) !== of.userId) ||
    (of.channelId !== undefined && (filters.channelId ?? of.channelId) !== of.channelId)
  const histories = isContradictory
    ? { chatHistories: [], total: 0, totalPages: 0 }
    : await (words === null ? allOf(deps, selection, filters) : withWords(deps, words, selection, filters))
  const { length: shown } = histories.chatHistories
  await auditRead(deps, {
    actor,
    action: words === null ? 'history.listed' : 'history.searched',
    after: { ...asked({ ...filters, ...of }), shown, total: histories.total },
  })
  return histories
}

export function listHistories(deps: Deps, actor: Actor, filters: HistoryFilters): Promise<Histories> {
  return listed(deps, actor, filters)
}

export async function historiesOfUser(
  deps: Deps,
  actor: Actor,
  userId: string,
  filters: HistoryFilters,
): Promise<Histories> {
  if (!(await personExists(deps.db, userId))) throw notFound()
  return listed(deps, actor, filters, { userId })
}

export async function historiesOfChannel(
  deps: Deps,
  actor: Actor,
  channelId: string,
  filters: HistoryFilters,
): Promise<Histories> {
  if (!(await channelExists(deps.db, channelId))) throw notFound()
  return listed(deps, actor, filters, { channelId })
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
  const { rows, before } = await pageOf(deps, chat, page)
  const messages = await presentMessages(deps, chat.channel_id, rows)
  await auditRead(deps, {
    actor,
    action: 'history.read',
    object: { type: 'chat', id: chatId },
    after: {
      ...asked({ userId: chat.user_id, channelId: chat.channel_id, ...page }),
      shown: messages.length,
    },
  })
  return { ...presentHistory(chat), messages, before }
}
