import type { LoginResult } from '@lyceum/contract/auth'
import type { LdapConnection } from '#providers/ldap/ldap-client.ts'
import type { LdapError } from '#providers/ldap/ldap-error.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { auditAlone } from '../audit/append.ts'
import type { RequestOrigin } from '../auth/complete-sign-in.ts'
import { type Credentials, type PasswordDirectory, signIn } from '../auth/sign-in.ts'
import { admit } from './admit.ts'
import { findDirectory, type StoredDirectory } from './ldap-directory.ts'
import { directoryId } from './store.ts'

/** Records why the directory could not be asked, for administrators. */
async function failWith(deps: Deps, client: Client, error: LdapError): Promise<never> {
  deps.log.warn({ kind: error.kind, reason: error.message }, 'the directory could not be asked')
  await auditAlone(deps, {
    actor: null,
    client,
    action: 'sign-in.failed',
    after: { issuer: directoryId, reason: error.message.slice(0, 200) },
    result: 'failed',
  })
  throw new AppError(error.kind === 'unreachable' ? 'sso.unreachable' : 'sso.not_set_up', { cause: error })
}

async function checkInDirectory(
  deps: Deps,
  { rules, createsUsers }: StoredDirectory,
  connection: LdapConnection,
  { email, password }: Credentials,
  client: Client,
) {
  // Loaded only where a directory is set.
  const { checkPassword } = await import('#providers/ldap/ldap.ts')
  const attributes = [...new Set(rules.map(({ claim }) => claim))].filter((claim) => claim !== 'groups')
  const found = await checkPassword(connection, { email, password }, attributes).catch((error: LdapError) =>
    failWith(deps, client, error),
  )
  if (!found) return null
  // The directory has the address and knows whose it is.
  const verified = { email, email_verified: true, name: found.name }
  const claims = { ...found.attributes, ...verified, groups: found.groups, sub: found.subject }
  const source = { id: directoryId, createsUsers, verifiedClaim: 'email_verified', rules }
  const { userId, identityId } = await admit(deps, source, claims, client)
  return { userId, identity: { identityId, issuerSession: null } }
}

async function openDirectory(deps: Deps): Promise<PasswordDirectory | null> {
  const directory = await findDirectory(deps.db, deps.secrets)
  if (directory === null) return null
  const { connection } = directory
  if (connection === null) return null
  return {
    check: (credentials, client) => checkInDirectory(deps, directory, connection, credentials, client),
  }
}

/** Signs in with a password of ours, or else with one of the directory. */
export async function signInWithPassword(
  deps: Deps,
  input: Credentials,
  origin: RequestOrigin,
): Promise<LoginResult> {
  return signIn(deps, input, origin, await openDirectory(deps))
}
