import type { Tx } from '#db/client.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit, userObject } from '../audit/append.ts'
import { createUserOfSource } from '../auth/create-user.ts'
import { findUserWithEmail } from '../auth/find-user.ts'
import { revokeAccess } from '../auth/revoke.ts'
import type { DirectoryAccess } from '../directories/authenticate-directory.ts'
import { getScimUrl } from '../directories/directories.ts'
import { stopReplies } from '../groups/change-access.ts'
import { changeMemberships } from '../groups/granted-groups.ts'
import { getDirectorySource } from '../groups/sources.ts'
import { acceptForDirectory } from '../invitations/register.ts'
import { requireLockedUser } from '../users/access.ts'
import { setActive } from '../users/activation.ts'
import { keepAdministratorsUnchanged } from '../users/administrators.ts'
import { changeEmail, changeName } from '../users/changed-by-directory.ts'
import type { ListRequest } from './list-request.ts'
import { type Conditions, requireVersion } from './responses.ts'
import type { UserInput } from './user-input.ts'
import { chooseName, presentUser, toColumns, toInput } from './user-resource.ts'
import {
  countDirectoryUsers,
  type DirectoryUser,
  deleteDirectoryUser,
  findDirectoryUser,
  findUserIdByUserName,
  insertDirectoryUser,
  isManaged,
  selectUserPage,
  updateDirectoryUser,
} from './user-store.ts'

function taken(message: string): AppError {
  return new AppError('scim.uniqueness', { message })
}

export async function getUser(deps: Deps, { directoryId }: DirectoryAccess, id: string) {
  const user = await findDirectoryUser(deps.db, directoryId, id)
  if (!user) throw notFound()
  return presentUser(user, getScimUrl(deps))
}

export async function listUsers(deps: Deps, { directoryId }: DirectoryAccess, request: ListRequest) {
  const total = await countDirectoryUsers(deps.db, directoryId, request.filter)
  const rows = request.count === 0 ? [] : await selectUserPage(deps.db, directoryId, request).execute()
  return { total, resources: rows.map((row) => presentUser(row, getScimUrl(deps)).resource) }
}

/**
 * The account for a new user of a directory. An existing one is connected by its address as with single sign-on: never
 * that of an administrator. One that is deactivated may belong to the former owner of the address.
 */
async function findOrCreateAccount(
  deps: Deps,
  tx: Tx,
  { actor, directoryId }: DirectoryAccess,
  input: UserInput,
): Promise<string> {
  const existing = await findUserWithEmail(tx, input.email)
  if (!existing) {
    const invited = await acceptForDirectory(deps, tx, input.email, actor)
    if (invited !== null) return invited
    return createUserOfSource(deps, tx, {
      email: input.email,
      name: chooseName(input),
      actor,
      client: actor.client,
      origin: { directory: directoryId },
    })
  }
  if (await isManaged(tx, existing.id))
    throw taken('A directory already manages the user with this email address')
  if (existing.role === 'admin')
    throw taken('This email address belongs to an administrator, whose account a directory cannot take over')
  if (existing.deactivated_at !== null)
    throw taken('The account with this email address is deactivated. Activate or delete it in Lyceum first.')
  await audit(deps, tx, {
    actor,
    action: 'identity.connected',
    object: userObject(existing),
    after: { directory: directoryId },
  })
  return existing.id
}

export async function createUser(deps: Deps, access: DirectoryAccess, input: UserInput) {
  const { directoryId, actor } = access
  const id = await deps.db.transaction().execute(async (tx) => {
    await keepAdministratorsUnchanged(tx)
    if ((await findUserIdByUserName(tx, directoryId, input.userName)) !== null)
      throw taken('There is already a user with this userName')
    const userId = await findOrCreateAccount(deps, tx, access, input)
    const now = deps.now()
    await insertDirectoryUser(tx, {
      user_id: userId,
      directory_id: directoryId,
      ...toColumns(input),
      created_at: now,
      updated_at: now,
    })
    await changeName(deps, tx, actor, { userId, name: chooseName(input) })
    await setActive(deps, tx, actor, { userId, isActive: input.isActive })
    return userId
  })
  if (!input.isActive) await deps.lifecycle.onAccessLost(deps, { userId: id })
  return getUser(deps, access, id)
}

/** Finds a user whom the directory manages, if their version is the one that the caller knows. */
async function requireManaged(
  tx: Tx,
  { directoryId }: DirectoryAccess,
  id: string,
  conditions: Conditions,
): Promise<DirectoryUser> {
  await keepAdministratorsUnchanged(tx)
  const user = await findDirectoryUser(tx, directoryId, id)
  if (!user) throw notFound()
  requireVersion(conditions, presentUser(user, '').version)
  return user
}

/** Applies what differs from what is stored. `change` gets the user as the directory knows them. */
export async function changeUser(
  deps: Deps,
  access: DirectoryAccess,
  { id, conditions }: { id: string; conditions: Conditions },
  change: (current: UserInput) => UserInput,
) {
  const { actor, directoryId } = access
  const isDeactivated = await deps.db.transaction().execute(async (tx) => {
    const user = await requireManaged(tx, access, id, conditions)
    await requireLockedUser(tx, id)
    const before = toInput(user)
    const after = change(before)
    if (JSON.stringify(before) === JSON.stringify(after)) return false
    const owner = await findUserIdByUserName(tx, directoryId, after.userName)
    if (owner !== null && owner !== id) throw taken('There is already a user with this userName')
    await updateDirectoryUser(tx, id, { ...toColumns(after), updated_at: deps.now() })
    if (after.email !== before.email) {
      await changeEmail(deps, tx, actor, { userId: id, email: after.email })
      await revokeAccess(tx, id)
    }
    // Only if the directory changed it, so that it does not undo what someone changed in Lyceum.
    const name = chooseName(after)
    if (name !== chooseName(before)) await changeName(deps, tx, actor, { userId: id, name })
    await setActive(deps, tx, actor, { userId: id, isActive: after.isActive })
    return !after.isActive
  })
  if (isDeactivated) await deps.lifecycle.onAccessLost(deps, { userId: id })
  return getUser(deps, access, id)
}

/**
 * Deactivates the user, takes back the groups of the directory and forgets that the directory managed them. The account
 * with its chats stays until an administrator deletes it.
 */
export async function deleteUser(
  deps: Deps,
  access: DirectoryAccess,
  { id, conditions }: { id: string; conditions: Conditions },
): Promise<void> {
  const { actor, directoryId } = access
  const lost = await deps.db.transaction().execute(async (tx) => {
    const user = await requireManaged(tx, access, id, conditions)
    const channels = await changeMemberships(deps, tx, {
      userId: id,
      source: getDirectorySource(directoryId),
      groupIds: [],
      client: actor.client,
      actor,
    })
    await setActive(deps, tx, actor, { userId: id, isActive: false })
    await deleteDirectoryUser(tx, id)
    await audit(deps, tx, {
      actor,
      action: 'identity.disconnected',
      object: userObject(user),
      before: { directory: directoryId },
    })
    return channels
  })
  await stopReplies(deps, lost)
  await deps.lifecycle.onAccessLost(deps, { userId: id })
}
