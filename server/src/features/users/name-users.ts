import type { Executor } from '#db/client.ts'
import { userObject } from '../audit/append.ts'
import { findUser } from './store.ts'

/** These users as objects of audit entries. */
export async function nameUsers(db: Executor, ids: readonly string[]) {
  const users = await Promise.all(ids.map((id) => findUser(db, id)))
  return users.flatMap((user) => (user ? [userObject(user)] : []))
}
