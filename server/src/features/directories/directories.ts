import {
  type Directories,
  type DirectoryInput,
  type DirectoryKey,
  directoryMaximum,
  scimPath,
} from '@lyceum/contract/directories'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import { lockSettings } from '#db/settings.ts'
import { randomToken, tokenHash } from '#keys/secrets.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import { keepGrantedMembers } from '../groups/granted-groups.ts'
import { getDirectorySource } from '../groups/sources.ts'
import { keepAdministratorsUnchanged } from '../users/administrators.ts'
import {
  countDirectories,
  deleteDirectory,
  deleteKey,
  findDirectory,
  insertDirectory,
  insertKey,
  listDirectoryRows,
} from './store.ts'

/** Tells the key from others, and lets scanners for leaked secrets find it. */
const marker = 'lyceum_scim_'
/** Characters of a key that are stored and shown. */
const prefixLength = marker.length + 6

/** The address that directories call. */
export function getScimUrl({ env }: Pick<Deps, 'env'>): string {
  return `${env.PUBLIC_URL}${scimPath}`
}

export async function listDirectories(deps: Deps): Promise<Directories> {
  const rows = await listDirectoryRows(deps.db)
  return {
    directories: rows.map((row) => ({
      _id: row.id,
      name: row.name,
      createdAt: new Date(row.created_at).toISOString(),
      key:
        row.prefix === null || row.key_created_at === null
          ? null
          : {
              prefix: row.prefix,
              createdAt: new Date(row.key_created_at).toISOString(),
              lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
            },
      userCount: row.users ?? 0,
      groupCount: row.groups ?? 0,
    })),
    scimUrl: getScimUrl(deps),
  }
}

/** Replaces the key of the directory. Only its hash is stored. */
async function storeNewKey(deps: Deps, tx: Tx, directoryId: string) {
  const key = marker + randomToken()
  const prefix = key.slice(0, prefixLength)
  await deleteKey(tx, directoryId)
  await insertKey(tx, {
    directory_id: directoryId,
    key_hash: tokenHash(key),
    prefix,
    created_at: deps.now(),
    last_used_at: null,
  })
  return { key, prefix }
}

async function requireDirectory(tx: Tx, id: string) {
  const directory = await findDirectory(tx, id)
  if (!directory) throw notFound()
  return directory
}

export function createDirectory(deps: Deps, actor: Actor, { name }: DirectoryInput): Promise<DirectoryKey> {
  const id = uuidv7()
  return deps.db.transaction().execute(async (tx) => {
    await lockSettings(tx)
    if ((await countDirectories(tx)) >= directoryMaximum) throw new AppError('directory.limit')
    await insertDirectory(tx, { id, name, created_at: deps.now() })
    const { key, prefix } = await storeNewKey(deps, tx, id)
    await audit(deps, tx, {
      actor,
      action: 'settings.directory-added',
      after: { directoryId: id, name, prefix },
    })
    return { name, scimUrl: getScimUrl(deps), key }
  })
}

/** The earlier key ends at once. */
export function replaceKey(deps: Deps, actor: Actor, id: string): Promise<DirectoryKey> {
  return deps.db.transaction().execute(async (tx) => {
    await lockSettings(tx)
    const { name, prefix: earlier } = await requireDirectory(tx, id)
    const { key, prefix } = await storeNewKey(deps, tx, id)
    await audit(deps, tx, {
      actor,
      action: 'settings.directory-key-replaced',
      before: { directoryId: id, name, prefix: earlier },
      after: { directoryId: id, name, prefix },
    })
    return { name, scimUrl: getScimUrl(deps), key }
  })
}

export async function revokeKey(deps: Deps, actor: Actor, id: string): Promise<Directories> {
  await deps.db.transaction().execute(async (tx) => {
    await lockSettings(tx)
    const { name, prefix } = await requireDirectory(tx, id)
    if (prefix === null) return
    await deleteKey(tx, id)
    await audit(deps, tx, {
      actor,
      action: 'settings.directory-key-revoked',
      before: { directoryId: id, name, prefix },
    })
  })
  return listDirectories(deps)
}

/** Users and groups stay, and memberships count as given by hand. */
export async function removeDirectory(deps: Deps, actor: Actor, id: string): Promise<Directories> {
  await deps.db.transaction().execute(async (tx) => {
    // Changes that the directory makes hold this lock, so none is under way.
    await keepAdministratorsUnchanged(tx)
    const { name, prefix } = await requireDirectory(tx, id)
    await keepGrantedMembers(tx, getDirectorySource(id))
    await deleteDirectory(tx, id)
    await audit(deps, tx, {
      actor,
      action: 'settings.directory-removed',
      before: { directoryId: id, name, prefix },
    })
  })
  return listDirectories(deps)
}
