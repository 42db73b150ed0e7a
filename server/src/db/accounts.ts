import type { Executor } from './client.ts'
import type { UsersTable } from './schema/users.ts'

/**
 * Users with an account: everyone but visitors, who chat on another site without one, and anonymized users. Whatever lists,
 * counts or finds users starts here, unless it reads their chats.
 */
export function selectAccounts(db: Executor) {
  return db
    .selectFrom('users')
    .where('users.deleted_at', 'is', null)
    .where('users.visitor_channel_id', 'is', null)
}

/** Whether the row is one that `selectAccounts` finds. */
export function isAccount(user: Pick<UsersTable, 'deleted_at' | 'visitor_channel_id'>): boolean {
  return user.deleted_at === null && user.visitor_channel_id === null
}
