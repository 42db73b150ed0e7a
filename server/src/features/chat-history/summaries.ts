import type { chatHistoryApi } from '@lyceum/contract/chat-history'
import type { ReplyOf } from '@lyceum/contract/endpoint'
import { toPage } from '#lib/page.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { auditRead } from './audit-read.ts'
import { presentUser, toIsoTimestamp } from './present.ts'
import { countTotals, listChannelTotals, listUserTotals } from './summary-store.ts'

interface Page {
  limit: number
  skip: number
}

interface Totals {
  chats: number
  messages: number
  last_activity_at: number
}

function presentTotals({ chats, messages, last_activity_at }: Totals) {
  return {
    chatCount: chats,
    messageCount: messages,
    lastActivityAt: toIsoTimestamp(last_activity_at),
  }
}

function auditSummaries(deps: Deps, actor: Actor, of: 'users' | 'channels', page: Page, shown: number) {
  return auditRead(deps, { actor, action: 'history.listed', after: { summaries: of, ...page, shown } })
}

/** Chat and message counts of each user with chats, including deleted users. */
export async function listUserSummaries(
  deps: Deps,
  actor: Actor,
  page: Page,
): Promise<ReplyOf<typeof chatHistoryApi.userSummaries>> {
  const [rows, total] = await Promise.all([
    listUserTotals(deps.db, page),
    countTotals(deps.db, 'user_chat_totals'),
  ])
  await auditSummaries(deps, actor, 'users', page, rows.length)
  const items = rows.map((row) => ({ user: presentUser(row), ...presentTotals(row) }))
  return toPage(items, total, page.limit)
}

/** Chat and message counts of each channel with chats. */
export async function listChannelSummaries(
  deps: Deps,
  actor: Actor,
  page: Page,
): Promise<ReplyOf<typeof chatHistoryApi.channelSummaries>> {
  const [rows, total] = await Promise.all([
    listChannelTotals(deps.db, page),
    countTotals(deps.db, 'channel_chat_totals'),
  ])
  await auditSummaries(deps, actor, 'channels', page, rows.length)
  const items = rows.map((row) => ({ channel: { _id: row.id, name: row.name }, ...presentTotals(row) }))
  return toPage(items, total, page.limit)
}
