import type { HistoryItem } from '@lyceum/contract/chat-history'
import type { HistoryRow, HistoryRowWithQuestion } from './store.ts'

const deletedUser = 'Deleted user'

export function toIsoTimestamp(time: number): string {
  return new Date(time).toISOString()
}

interface UserRow {
  user_id: string
  user_name: string
  user_email: string
  user_deleted_at: number | null
  user_visitor_channel_id: string | null
}

/** Deleted users and visitors have a placeholder address in the database, which is not shown. */
export function presentUser(row: UserRow): HistoryItem['user'] {
  if (row.user_deleted_at !== null) return { _id: row.user_id, name: deletedUser, email: '' }
  const email = row.user_visitor_channel_id === null ? row.user_email : ''
  return { _id: row.user_id, name: row.user_name, email }
}

export function presentHistory(row: HistoryRow | HistoryRowWithQuestion): HistoryItem {
  return {
    _id: row.id,
    user: presentUser(row),
    channel: { _id: row.channel_id, name: row.channel_name },
    title: row.title,
    ...('first_question' in row && row.first_question ? { firstQuestion: row.first_question } : {}),
    messageCount: row.message_count,
    createdAt: toIsoTimestamp(row.created_at),
    updatedAt: toIsoTimestamp(row.updated_at),
  }
}
