import { type ApiKey, type ApiKeyInput, apiKeyMaximum, type CreatedApiKey } from '@lyceum/contract/api-keys'
import { uuidv7 } from 'uuidv7'
import type { Executor } from '#db/client.ts'
import { randomToken, tokenHash } from '#keys/secrets.ts'
import { type Actor, requirePermission } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit, userObject } from '../audit/append.ts'
import { isMemberOfAll } from '../channels/access.ts'
import { findChannelNames } from '../channels/channel-names.ts'
import { requireAuthorityOver, requireLockedUser, requireUser, type UserRow } from '../users/access.ts'
import { nameChannelsOf } from './key-channels.ts'
import {
  countApiKeys,
  deleteApiKey,
  insertApiKey,
  insertRevokedApiKey,
  type ListedApiKey,
  listApiKeys,
  listRevokedApiKeys,
} from './store.ts'

const day = 86_400_000
/** Tells a key from a session's token, and lets scanners for leaked secrets find it. */
const marker = 'lyceum_'
/** Characters of a key that are stored and shown. */
const prefixLength = marker.length + 6

async function presentApiKeys(db: Executor, rows: readonly ListedApiKey[]): Promise<ApiKey[]> {
  const nameChannels = await nameChannelsOf(db, rows)
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: JSON.parse(row.scopes) as ApiKey['scopes'],
    channels: nameChannels(row),
    createdAt: new Date(row.created_at).toISOString(),
    createdByName: row.created_by_name,
    expiresAt: new Date(row.expires_at).toISOString(),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
    ...(row.revoked_at !== undefined && {
      revoked: { at: new Date(row.revoked_at).toISOString(), byName: row.revoked_by_name ?? null },
    }),
  }))
}

async function listPresented({ db, now }: Deps, userId: string): Promise<ApiKey[]> {
  const active = await listApiKeys(db, userId, now(), apiKeyMaximum)
  return presentApiKeys(db, [...active, ...(await listRevokedApiKeys(db, userId, apiKeyMaximum))])
}

export function listOwnApiKeys(deps: Deps, actor: Actor): Promise<ApiKey[]> {
  return listPresented(deps, actor.userId)
}

export async function listApiKeysOfUser(deps: Deps, userId: string): Promise<ApiKey[]> {
  await requireUser(deps.db, userId)
  return listPresented(deps, userId)
}

/** Creates a key with which a program acts as the user, within the key's scopes and channels. */
export async function createApiKey(
  deps: Deps,
  actor: Actor,
  userId: string,
  { name, scopes, channelIds, expiresInDays }: ApiKeyInput,
): Promise<CreatedApiKey> {
  const key = marker + randomToken()
  const now = deps.now()
  const row = {
    id: uuidv7(),
    user_id: userId,
    name,
    key_hash: tokenHash(key),
    prefix: key.slice(0, prefixLength),
    scopes: JSON.stringify([...new Set(scopes)]),
    channel_ids: channelIds === null ? null : JSON.stringify([...new Set(channelIds)]),
    created_by: userId === actor.userId ? null : actor.userId,
    created_at: now,
    expires_at: now + expiresInDays * day,
    last_used_at: null,
  }
  await deps.db.transaction().execute(async (tx) => {
    // The lock makes concurrent calls count each other's keys.
    const user = await requireLockedUser(tx, userId)
    if ((await countApiKeys(tx, userId, now)) >= apiKeyMaximum) throw new AppError('api_key.limit')
    if (!(await isMemberOfAll(tx, userId, channelIds ?? []))) throw notFound()
    await insertApiKey(tx, row)
    await audit(deps, tx, {
      actor,
      action: 'api-key.created',
      object: userObject(user),
      after: {
        keyId: row.id,
        name,
        prefix: row.prefix,
        scopes,
        channels: channelIds === null ? 'all' : [...(await findChannelNames(tx, channelIds)).values()],
        ...(channelIds === null ? {} : { channelIds }),
        expiresInDays,
      },
    })
  })
  const [presented] = await presentApiKeys(deps.db, [
    { ...row, created_by_name: row.created_by === null ? null : actor.name },
  ])
  if (!presented) throw new Error('presentApiKeys returned no key')
  return { ...presented, key }
}

function revoke(deps: Deps, actor: Actor, user: Pick<UserRow, 'id' | 'name'>, id: string): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    const key = await deleteApiKey(tx, user.id, id)
    if (!key) throw notFound()
    if (actor.userId !== user.id) await insertRevokedApiKey(tx, key, { by: actor.userId, at: deps.now() })
    await audit(deps, tx, {
      actor,
      action: 'api-key.revoked',
      object: userObject(user),
      before: { keyId: id, name: key.name, prefix: key.prefix },
    })
  })
}

export function revokeOwnApiKey(deps: Deps, actor: Actor, id: string): Promise<void> {
  return revoke(deps, actor, { id: actor.userId, name: actor.name }, id)
}

export async function revokeApiKeyOfUser(
  deps: Deps,
  actor: Actor,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  requirePermission(actor, 'canManageUsers')
  const user = await requireUser(deps.db, userId)
  requireAuthorityOver(actor, user)
  return revoke(deps, actor, user, id)
}
