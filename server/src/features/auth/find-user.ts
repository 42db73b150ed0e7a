import type { Executor } from '#db/client.ts'
import { findUserByEmail, findUserById, type UserRow } from './store.ts'

/** The row that a sign-in needs; undefined if the user has been deleted. */
export function findUser(db: Executor, id: string): Promise<UserRow | undefined> {
  return findUserById(db, id)
}

export function findUserWithEmail(db: Executor, email: string): Promise<UserRow | undefined> {
  return findUserByEmail(db, email)
}
