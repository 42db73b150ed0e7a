import { type ConnectedProgram, programMaximum } from '@lyceum/contract/connected-programs'
import type { Executor } from '#db/client.ts'
import { type Actor, requirePermission } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { nameChannelsOf } from '../api-keys/key-channels.ts'
import { audit, userObject } from '../audit/append.ts'
import { requireAuthorityOver, requireUser, type UserRow } from '../users/access.ts'
import { deleteProgramOfUser, listPrograms, type ProgramRow } from './store.ts'

async function presentPrograms(db: Executor, rows: readonly ProgramRow[]): Promise<ConnectedProgram[]> {
  const nameChannels = await nameChannelsOf(db, rows)
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    destination: row.destination,
    scopes: JSON.parse(row.scopes) as ConnectedProgram['scopes'],
    channels: nameChannels(row),
    connectedAt: new Date(row.created_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  }))
}

export async function listOwnPrograms({ db, now }: Deps, { userId }: Actor): Promise<ConnectedProgram[]> {
  return presentPrograms(db, await listPrograms(db, userId, now(), programMaximum))
}

export async function listProgramsOfUser({ db, now }: Deps, userId: string): Promise<ConnectedProgram[]> {
  await requireUser(db, userId)
  return presentPrograms(db, await listPrograms(db, userId, now(), programMaximum))
}

function revoke(deps: Deps, actor: Actor, user: Pick<UserRow, 'id' | 'name'>, id: string): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    const program = await deleteProgramOfUser(tx, user.id, id)
    if (!program) throw notFound()
    await audit(deps, tx, {
      actor,
      action: 'program.revoked',
      object: userObject(user),
      before: { programId: id, name: program.name },
    })
  })
}

export function revokeOwnProgram(deps: Deps, actor: Actor, id: string): Promise<void> {
  return revoke(deps, actor, { id: actor.userId, name: actor.name }, id)
}

export async function revokeProgramOfUser(
  deps: Deps,
  actor: Actor,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  requirePermission(actor, 'canManageUsers')
  const user = await requireUser(deps.db, userId)
  requireAuthorityOver(actor, user)
  return revoke(deps, actor, user, id)
}
