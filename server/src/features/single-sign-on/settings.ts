import {
  type IssuerChange,
  type IssuerInput,
  issuerMaximum,
  type PublicIssuers,
  type SingleSignOn,
} from '@lyceum/contract/single-sign-on'
import type { PartTestResult } from '@lyceum/contract/status'
import type { Tx } from '#db/client.ts'
import { lockSettings } from '#db/settings.ts'
import type { IssuerError } from '#providers/openid/issuer-error.ts'
import { describeIssuer } from '#providers/openid/openid.ts'
import type { Actor } from '../../actor.ts'
import { requireReachableHost } from '../../connections/reachable-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { audit, auditAlone } from '../audit/append.ts'
import { findChanges } from '../audit/changes.ts'
import { isPasswordSignInOff, storePasswordSignIn } from '../auth/password-sign-in.ts'
import { keepGrantedMembers } from '../groups/granted-groups.ts'
import { forgetSource } from '../users/grants.ts'
import { endSessions } from './identity-store.ts'
import { getGrantSource, type IssuerOptions, listIssuers, requireIssuer, sealConnection } from './issuers.ts'
import { hasDirectory } from './ldap-directory.ts'
import {
  countBreakGlassUsers,
  countIdentitiesByIssuer,
  deleteIssuer,
  findIssuerRow,
  insertIssuer,
  updateIssuer,
} from './store.ts'

export async function listPublicIssuers({ db, secrets }: Deps): Promise<PublicIssuers> {
  const issuers = await listIssuers(db, secrets)
  return {
    issuers: issuers.flatMap(({ id, name, connection }) => (connection ? [{ _id: id, name }] : [])),
    isPasswordOn: (await hasDirectory(db)) || !(await isPasswordSignInOff(db)),
  }
}

export async function presentSingleSignOn({ db, secrets, env }: Deps): Promise<SingleSignOn> {
  const issuers = await listIssuers(db, secrets)
  const counts = await countIdentitiesByIssuer(db)
  return {
    issuers: issuers.map(({ id, connection, ...rest }) => ({
      ...rest,
      _id: id,
      state: connection ? ('ok' as const) : ('unreadable' as const),
      issuer: connection?.issuer ?? '',
      clientId: connection?.clientId ?? '',
      userCount: counts.get(id) ?? 0,
    })),
    publicUrl: env.PUBLIC_URL,
    passwordSignIn: {
      isOn: !(await isPasswordSignInOff(db)),
      breakGlassCount: await countBreakGlassUsers(db),
    },
  }
}

function pickOptions({ createsUsers, verifiedClaim, acrValues, rules }: IssuerOptions): IssuerOptions {
  return { createsUsers, verifiedClaim, acrValues, rules }
}

/** Runs a change while nobody else changes settings. */
async function change(deps: Deps, run: (tx: Tx) => Promise<void>): Promise<SingleSignOn> {
  await deps.db.transaction().execute(async (tx) => {
    await lockSettings(tx)
    await run(tx)
  })
  return presentSingleSignOn(deps)
}

export async function addIssuer(deps: Deps, actor: Actor, input: IssuerInput): Promise<SingleSignOn> {
  const { _id: id, name, issuer, clientId, clientSecret } = input
  await requireReachableHost(new URL(issuer).hostname, 'issuer')
  return change(deps, async (tx) => {
    if (await findIssuerRow(tx, id)) throw new AppError('sso.issuer_exists')
    const { length } = await listIssuers(tx, deps.secrets)
    if (length >= issuerMaximum) throw new AppError('sso.issuer_limit')
    const options = pickOptions(input)
    await insertIssuer(tx, {
      id,
      name,
      sealed: sealConnection(deps.secrets, { issuer, clientId, clientSecret }),
      options: JSON.stringify(options),
      created_at: deps.now(),
    })
    await audit(deps, tx, {
      actor,
      action: 'settings.issuer-added',
      after: { issuerId: id, name, issuer, clientId, ...options },
    })
  })
}

/** The address cannot be changed: the subjects of another issuer are other people. */
export function changeIssuer(
  deps: Deps,
  actor: Actor,
  id: string,
  input: IssuerChange,
): Promise<SingleSignOn> {
  return change(deps, async (tx) => {
    const before = await requireIssuer(tx, deps.secrets, id)
    const { connection } = before
    if (!connection) throw new AppError('sso.not_set_up')
    const { name, clientId } = input
    const clientSecret = input.clientSecret ?? connection.clientSecret
    const options = pickOptions(input)
    await updateIssuer(tx, id, {
      name,
      sealed: sealConnection(deps.secrets, { issuer: connection.issuer, clientId, clientSecret }),
      options: JSON.stringify(options),
    })
    const isSecretChanged = clientSecret !== connection.clientSecret
    const changes = findChanges(
      { name: before.name, clientId: connection.clientId, ...pickOptions(before) },
      { name, clientId, ...options },
    )
    if (!changes && !isSecretChanged) return
    await audit(deps, tx, {
      actor,
      action: 'settings.issuer-changed',
      before: { issuerId: id, ...changes?.before },
      after: { issuerId: id, ...changes?.after, ...(isSecretChanged ? { isSecretChanged } : {}) },
    })
  })
}

/** Users keep what the rules of the issuer gave them, as if it had been given by hand. */
export function removeIssuer(deps: Deps, actor: Actor, id: string): Promise<SingleSignOn> {
  return change(deps, async (tx) => {
    const { name, connection } = await requireIssuer(tx, deps.secrets, id)
    const { length } = await listIssuers(tx, deps.secrets)
    if (length === 1 && !(await hasDirectory(tx)) && (await isPasswordSignInOff(tx)))
      throw new AppError('sso.last_issuer')
    const ended = await endSessions(tx, { issuerId: id, subject: null, issuerSession: null })
    await forgetSource(tx, getGrantSource(id))
    await keepGrantedMembers(tx, getGrantSource(id))
    await deleteIssuer(tx, id)
    await audit(deps, tx, {
      actor,
      action: 'settings.issuer-removed',
      before: { issuerId: id, name, issuer: connection?.issuer },
      after: { usersSignedOut: ended.size },
    })
  })
}

export function setPasswordSignIn(deps: Deps, actor: Actor, isOn: boolean): Promise<SingleSignOn> {
  return change(deps, async (tx) => {
    const wasOn = !(await isPasswordSignInOff(tx))
    if (wasOn === isOn) return
    const hasIssuer = (await listIssuers(tx, deps.secrets)).length > 0 || (await hasDirectory(tx))
    if (!isOn && !hasIssuer) throw new AppError('sso.no_issuer')
    if (!isOn && (await countBreakGlassUsers(tx)) === 0) throw new AppError('sso.no_break_glass')
    await storePasswordSignIn(tx, isOn, deps.now())
    await audit(deps, tx, {
      actor,
      action: 'settings.changed',
      before: { passwordSignIn: wasOn },
      after: { passwordSignIn: isOn },
    })
  })
}

interface TestOutcome {
  ok: boolean
  words: string[]
}

const failureWords: Record<Exclude<IssuerError['kind'], 'unreachable'>, string> = {
  refused: 'The issuer refused the request.',
  misconfigured: 'This address answers, but its description is not that of an OpenID Connect issuer.',
  invalid: 'This address did not send the description of an OpenID Connect issuer with this address.',
}

async function runTest(issuer: string): Promise<TestOutcome> {
  try {
    const { keyCount, endpoints, ...supports } = await describeIssuer(issuer)
    if (keyCount === 0)
      return {
        ok: false,
        words: ['The issuer answered, but it has no keys. Nobody can sign in until it publishes one.'],
      }
    for (const endpoint of endpoints) await requireReachableHost(new URL(endpoint).hostname, 'issuer')
    return {
      ok: true,
      words: [
        `The issuer answered and has ${keyCount} ${keyCount === 1 ? 'key' : 'keys'}.`,
        supports.announcesIssuer ? 'It sends the iss parameter.' : 'It doesn’t send the iss parameter.',
        supports.supportsBackchannelLogout
          ? 'It supports back-channel logout.'
          : 'It doesn’t support back-channel logout.',
      ],
    }
  } catch (error) {
    if (error instanceof AppError) return { ok: false, words: [error.message] }
    const { kind, message } = error as IssuerError
    return { ok: false, words: [kind === 'unreachable' ? message : failureWords[kind]] }
  }
}

/** Audited with the host, so that nobody can scan a network unseen. */
export async function testIssuer(deps: Deps, actor: Actor, issuer: string): Promise<PartTestResult> {
  const { hostname, host } = new URL(issuer)
  await requireReachableHost(hostname, 'issuer')
  const startedAt = performance.now()
  const outcome = await runTest(issuer)
  await auditAlone(deps, {
    actor,
    action: 'settings.tested',
    result: outcome.ok ? 'ok' : 'failed',
    after: { part: 'single-sign-on', server: host },
  })
  return { ...outcome, milliseconds: Math.round(performance.now() - startedAt) }
}
