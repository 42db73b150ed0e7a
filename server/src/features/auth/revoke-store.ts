import type { Executor } from '#db/client.ts'

/** Deletes a user's sessions except one, then all sign-ins on other sites. Returns how many there were. */
export async function deleteOtherSessions(
  db: Executor,
  userId: string,
  keptId: string | null,
): Promise<number> {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId)
  if (keptId !== null) query = query.where('id', '<>', keptId)
  const sessions = await query.executeTakeFirst()
  // Last: a sign-in that is being allowed locks its session until it is stored.
  const embedded = await db.deleteFrom('embedded_sign_ins').where('user_id', '=', userId).executeTakeFirst()
  return Number(sessions.numDeletedRows + embedded.numDeletedRows)
}

/** Makes every trusted browser of the user ask for a code again. */
export async function incrementEpoch(db: Executor, userId: string): Promise<void> {
  await db
    .updateTable('users')
    .set((eb) => ({ two_factor_epoch: eb('two_factor_epoch', '+', 1) }))
    .where('id', '=', userId)
    .execute()
}

/** Deletes a user's trusted browsers. The one named by `keptId` stays and moves to the current epoch. */
export async function deleteOtherTrustedBrowsers(
  db: Executor,
  userId: string,
  keptId: string | null,
): Promise<void> {
  await db
    .deleteFrom('trusted_browsers')
    .where('user_id', '=', userId)
    .where('id', '<>', keptId ?? '')
    .execute()
  if (keptId === null) return
  await db
    .updateTable('trusted_browsers')
    .set((eb) => ({
      epoch: eb.selectFrom('users').select('two_factor_epoch').where('users.id', '=', userId),
    }))
    .where('id', '=', keptId)
    .where('user_id', '=', userId)
    .execute()
}

export async function deleteChallenges(db: Executor, userId: string): Promise<void> {
  await db.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute()
}

export async function deleteUnusedResets(db: Executor, userId: string): Promise<void> {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).where('used_at', 'is', null).execute()
}

export async function deleteOldResets(db: Executor, before: number): Promise<void> {
  await db.deleteFrom('password_resets').where('created_at', '<', before).execute()
}
