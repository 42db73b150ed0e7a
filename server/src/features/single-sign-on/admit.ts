import type { Claims } from '#providers/openid/openid.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { auditAlone } from '../audit/append.ts'
import { applyGrantedChannels } from '../channels/granted-channels.ts'
import { applyGrantedGroups } from '../groups/granted-groups.ts'
import { applyGrantedRole } from '../users/granted-role.ts'
import { hasGrantsFrom } from '../users/grants.ts'
import { evaluateRules } from './claims.ts'
import { type ConnectedUser, connectSubject } from './connect.ts'
import { getGrantSource, type SourceOfUsers } from './issuers.ts'

async function connect(
  deps: Deps,
  issuer: SourceOfUsers,
  claims: Claims & { sub: string },
  client: Client,
): Promise<ConnectedUser> {
  const connected = await deps.db
    .transaction()
    .execute((tx) => connectSubject(deps, tx, issuer, claims, client))
  const { userId } = connected
  const source = getGrantSource(issuer.id)
  const { channelIds, groupIds, isAdmin } = evaluateRules(issuer.rules, claims)
  const gives = isAdmin || channelIds.length > 0
  if (gives || (await hasGrantsFrom(deps.db, userId, source))) {
    await applyGrantedRole(deps, { userId, source, isAdmin, client })
    await applyGrantedChannels(deps, { userId, source, channelIds, client })
  }
  await applyGrantedGroups(deps, { userId, source, groupIds, client })
  return connected
}

async function auditRefusal(
  deps: Deps,
  issuer: SourceOfUsers,
  subject: string,
  client: Client,
  error: unknown,
): Promise<never> {
  if (error instanceof AppError)
    await auditAlone(deps, {
      actor: null,
      client,
      action: 'sign-in.refused',
      // With the subject, a system administrator can connect it to a user.
      after: { issuer: issuer.id, subject, reason: error.code },
      result: 'denied',
    })
  throw error
}

/** Finds or creates the user of the claims, and gives them what the rules say. */
export function admit(
  deps: Deps,
  issuer: SourceOfUsers,
  claims: Claims & { sub: string },
  client: Client,
): Promise<ConnectedUser> {
  return connect(deps, issuer, claims, client).catch((error: unknown) =>
    auditRefusal(deps, issuer, claims.sub, client, error),
  )
}
