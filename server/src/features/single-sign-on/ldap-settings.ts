import type { Directory, LdapInput, LdapTest } from '@lyceum/contract/ldap'
import type { PartTestResult } from '@lyceum/contract/status'
import type { Tx } from '#db/client.ts'
import { lockSettings } from '#db/settings.ts'
import type { LdapConnection } from '#providers/ldap/ldap-client.ts'
import type { LdapError } from '#providers/ldap/ldap-error.ts'
import type { Actor } from '../../actor.ts'
import { requireReachableHost } from '../../connections/reachable-host.ts'
import { requireCertificate } from '../../connections/require-certificate.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit, auditAlone } from '../audit/append.ts'
import { findChanges } from '../audit/changes.ts'
import { isPasswordSignInOff } from '../auth/password-sign-in.ts'
import { keepGrantedMembers } from '../groups/granted-groups.ts'
import { forgetSource } from '../users/grants.ts'
import { endSessions } from './identity-store.ts'
import { getGrantSource } from './issuers.ts'
import { type DirectoryOptions, directoryName, findDirectory, sealDirectory } from './ldap-directory.ts'
import {
  countIdentitiesByIssuer,
  deleteIssuer,
  directoryId,
  insertIssuer,
  listIssuerRows,
  updateIssuer,
} from './store.ts'

interface DirectorySettings {
  directory: Directory | null
}

const unreadable = { url: '', certificate: '', bindDn: '', baseDn: '', userFilter: '', emailAttribute: '' }

function hidePassword({ bindPassword: _, ...shown }: LdapConnection) {
  return shown
}

export async function presentDirectory({ db, secrets }: Deps): Promise<DirectorySettings> {
  const directory = await findDirectory(db, secrets)
  if (directory === null) return { directory: null }
  const { connection, ...options } = directory
  return {
    directory: {
      state: connection ? 'ok' : 'unreadable',
      ...(connection ? hidePassword(connection) : unreadable),
      ...options,
      userCount: (await countIdentitiesByIssuer(db)).get(directoryId) ?? 0,
    },
  }
}

async function change(deps: Deps, run: (tx: Tx) => Promise<void>): Promise<DirectorySettings> {
  await deps.db.transaction().execute(async (tx) => {
    await lockSettings(tx)
    await run(tx)
  })
  return presentDirectory(deps)
}

/**
 * An empty password means the stored one, which is used only with the address it was entered for: otherwise it could be sent
 * to another server.
 */
function completePassword<I extends Omit<LdapConnection, 'certificate'>>(
  input: I,
  stored: LdapConnection | null,
): I {
  if (input.bindPassword !== '') return input
  if (stored === null || stored.url !== input.url || stored.bindDn !== input.bindDn)
    throw new AppError('validation.failed', {
      message: 'Enter the password of the bind account.',
      fields: { bindPassword: 'Enter the password of the bind account.' },
    })
  return { ...input, bindPassword: stored.bindPassword }
}

function toConnection({ createsUsers: _, rules: __, ...connection }: LdapInput): LdapConnection {
  return connection
}

export async function saveDirectory(deps: Deps, actor: Actor, input: LdapInput): Promise<DirectorySettings> {
  requireCertificate('certificate', input.certificate)
  await requireReachableHost(new URL(input.url).hostname, 'url')
  return change(deps, async (tx) => {
    const before = await findDirectory(tx, deps.secrets)
    const connection = toConnection(completePassword(input, before?.connection ?? null))
    const options: DirectoryOptions = { createsUsers: input.createsUsers, rules: input.rules }
    const sealed = sealDirectory(deps.secrets, connection)
    const stored = { name: directoryName, sealed, options: JSON.stringify(options) }
    if (before) await updateIssuer(tx, directoryId, stored)
    else await insertIssuer(tx, { id: directoryId, created_at: deps.now(), ...stored })
    const after = { ...hidePassword(connection), ...options }
    if (!before) {
      await audit(deps, tx, {
        actor,
        action: 'settings.issuer-added',
        after: { issuerId: directoryId, name: directoryName, ...after },
      })
      return
    }
    const known = before.connection ? hidePassword(before.connection) : {}
    const changes = findChanges({ ...known, createsUsers: before.createsUsers, rules: before.rules }, after)
    const isSecretChanged = connection.bindPassword !== before.connection?.bindPassword
    if (!changes && !isSecretChanged) return
    await audit(deps, tx, {
      actor,
      action: 'settings.issuer-changed',
      before: { issuerId: directoryId, ...changes?.before },
      after: { issuerId: directoryId, ...changes?.after, ...(isSecretChanged ? { isSecretChanged } : {}) },
    })
  })
}

/** Users keep what the rules of the directory gave them, as if it had been given by hand. */
export function removeDirectory(deps: Deps, actor: Actor): Promise<DirectorySettings> {
  return change(deps, async (tx) => {
    const directory = await findDirectory(tx, deps.secrets)
    if (directory === null) throw notFound()
    if ((await isPasswordSignInOff(tx)) && (await listIssuerRows(tx)).length === 0)
      throw new AppError('sso.last_issuer')
    const ended = await endSessions(tx, { issuerId: directoryId, subject: null, issuerSession: null })
    await forgetSource(tx, getGrantSource(directoryId))
    await keepGrantedMembers(tx, getGrantSource(directoryId))
    await deleteIssuer(tx, directoryId)
    await audit(deps, tx, {
      actor,
      action: 'settings.issuer-removed',
      before: { issuerId: directoryId, name: directoryName, url: directory.connection?.url },
      after: { usersSignedOut: ended.size },
    })
  })
}

const shownGroups = 10

async function runTest(connection: LdapConnection, email: string | undefined) {
  const { describeDirectory } = await import('#providers/ldap/ldap.ts')
  const words = ['The directory answered and accepted the bind account.']
  try {
    const user = await describeDirectory(connection, email)
    if (email === undefined) return { ok: true, words }
    if (user === null)
      return { ok: false, words: [...words, 'It has no user with this address, or more than one.'] }
    const groups = user.groups.filter((name) => !name.includes('='))
    const named = groups.slice(0, shownGroups).join(', ')
    const more = groups.length > shownGroups ? ` and ${groups.length - shownGroups} more` : ''
    return {
      ok: true,
      words: [
        ...words,
        `It has one user with this address: ${user.dn}`,
        groups.length === 0 ? 'The user is in no group.' : `The user is in these groups: ${named}${more}.`,
      ],
    }
  } catch (error) {
    return { ok: false, words: [(error as LdapError).message] }
  }
}

/** Audited with the host, so that nobody can scan a network unseen. */
export async function testDirectory(deps: Deps, actor: Actor, input: LdapTest): Promise<PartTestResult> {
  const { hostname, host } = new URL(input.url)
  requireCertificate('certificate', input.certificate)
  await requireReachableHost(hostname, 'url')
  const stored = await findDirectory(deps.db, deps.secrets)
  const { email, ...connection } = completePassword(input, stored?.connection ?? null)
  const startedAt = performance.now()
  const outcome = await runTest(connection, email)
  await auditAlone(deps, {
    actor,
    action: 'settings.tested',
    result: outcome.ok ? 'ok' : 'failed',
    after: { part: 'ldap', server: host },
  })
  return { ...outcome, milliseconds: Math.round(performance.now() - startedAt) }
}
