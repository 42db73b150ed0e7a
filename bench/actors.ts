import type { Actor } from '../server/src/actor.ts'
import type { Deps } from '../server/src/deps.ts'
import { getUserPermissions } from '../server/src/features/auth/present.ts'
import { findUserById } from '../server/src/features/auth/store.ts'

/** Returns a user as the actor that the features expect. */
export async function getActor({ db }: Deps, userId: string): Promise<Actor> {
  const user = await findUserById(db, userId)
  if (!user) throw new Error(`there is no user ${userId}`)
  return {
    userId,
    sessionId: '',
    name: user.name,
    email: user.email,
    role: user.role,
    isSystemAdmin: user.is_system_admin === 1,
    permissions: getUserPermissions(user),
    boundChannelId: null,
    isKeyActive: null,
    client: { ip: '', userAgent: '' },
  }
}
