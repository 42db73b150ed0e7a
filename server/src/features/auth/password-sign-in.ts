import type { Executor, Tx } from '#db/client.ts'
import { readSetting, writeSetting } from '#db/settings.ts'
import type { UserRow } from './store.ts'

const setting = 'isPasswordSignInOff'

/** Whether only administrators for emergencies can sign in with a password. */
export async function isPasswordSignInOff(db: Executor): Promise<boolean> {
  return (await readSetting(db, setting)) === true
}

export function storePasswordSignIn(tx: Tx, isOn: boolean, now: number): Promise<void> {
  return writeSetting(tx, setting, !isOn, now)
}

/** Administrators made on the command line for emergencies can always use their password. */
export async function canUsePassword(
  db: Executor,
  { is_break_glass }: Pick<UserRow, 'is_break_glass'>,
): Promise<boolean> {
  return is_break_glass === 1 || !(await isPasswordSignInOff(db))
}

/**
 * Users of single sign-on have no password, and a reset link must not give them a way around the issuer. Deactivated users
 * cannot sign in at all.
 */
export async function canResetPassword(db: Executor, user: UserRow): Promise<boolean> {
  return user.password_hash !== '' && user.deactivated_at === null && (await canUsePassword(db, user))
}
