import { tokenHash } from '#keys/secrets.ts'
import type { IssuerError } from '#providers/openid/issuer-error.ts'
import { logoutTokenLifetime, verifyLogoutToken } from '#providers/openid/openid.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import { nameUsers } from '../users/name-users.ts'
import { endSessions } from './identity-store.ts'
import { requireConnection, requireIssuer } from './issuers.ts'
import { insertUsedToken } from './store.ts'

/** The clocks may differ by a little more than the tolerance in both directions. */
const rememberedFor = (logoutTokenLifetime + 120) * 1000

/** Ends the sessions that a logout token names: one session of the issuer, or all of a subject. */
export async function endSessionsOfIssuer(
  deps: Deps,
  issuerId: string,
  token: string,
  client: Client,
): Promise<void> {
  const issuer = await requireIssuer(deps.db, deps.secrets, issuerId)
  const claims = await verifyLogoutToken(requireConnection(issuer), token).catch((error: IssuerError) => {
    deps.log.warn({ issuer: issuerId, kind: error.kind, reason: error.message }, 'logout token refused')
    throw new AppError(error.kind === 'unreachable' ? 'sso.unreachable' : 'sso.logout_invalid', {
      cause: error,
    })
  })
  await deps.db.transaction().execute(async (tx) => {
    const hash = tokenHash(`${issuerId}|${claims.jti}`)
    if (!(await insertUsedToken(tx, hash, deps.now() + rememberedFor)))
      throw new AppError('sso.logout_invalid')
    const ended = await endSessions(tx, { issuerId, ...claims })
    for (const user of await nameUsers(tx, [...ended.keys()]))
      await audit(deps, tx, {
        actor: null,
        client,
        action: 'user.sessions-ended',
        object: user,
        after: { sessions: ended.get(user.id), issuer: issuerId },
      })
  })
}
