import type { IssuedTokens, TokenRequest } from '@lyceum/contract/connected-programs'
import type { ErrorCode } from '@lyceum/contract/errors'
import type { Tx } from '#db/client.ts'
import { randomToken, tokenHash } from '#keys/secrets.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import { getResource, parseScopes, toChallenge } from './authorization.ts'
import { findClient, touchClient } from './client-store.ts'
import {
  type CodeRow,
  deleteProgram,
  findCode,
  findProgram,
  findProgramByFamily,
  findProgramIdByAccessToken,
  insertAccessToken,
  insertProgram,
  type ProgramRow,
  rotateRefreshToken,
  takeCode,
} from './store.ts'

/** Milliseconds. */
const accessTokenLifetime = 3_600_000
/** They tell the tokens apart, and let scanners for leaked secrets find them. */
const accessMarker = 'lyceum_access_'
const refreshMarker = 'lyceum_refresh_'

const refreshPattern = /^lyceum_refresh_([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/

type EndReason = 'code used again' | 'refresh token used again' | 'disconnected by the program'

/** What a transaction that must be stored in any case returns instead of throwing. */
type Outcome = IssuedTokens | ErrorCode

function requireTokens(outcome: Outcome): IssuedTokens {
  if (typeof outcome === 'string') throw new AppError(outcome)
  return outcome
}

/** Ends a program without an action of its user, and records why. */
async function endProgram(
  deps: Deps,
  tx: Tx,
  id: string,
  { client, reason }: { client: Client; reason: EndReason },
): Promise<void> {
  const program = await deleteProgram(tx, id)
  if (!program) return
  await audit(deps, tx, {
    actor: null,
    client,
    action: 'program.revoked',
    object: { type: 'user', id: program.user_id },
    before: { programId: id, name: program.name },
    after: { cause: reason },
  })
}

async function issueTokens(
  { now }: Deps,
  tx: Tx,
  program: Pick<ProgramRow, 'id' | 'expires_at'>,
  { scopes, refreshToken }: { scopes: readonly string[]; refreshToken: string },
): Promise<IssuedTokens> {
  const token = accessMarker + randomToken()
  const expiresAt = Math.min(now() + accessTokenLifetime, program.expires_at)
  await insertAccessToken(tx, {
    token_hash: tokenHash(token),
    program_id: program.id,
    scopes: JSON.stringify(scopes),
    expires_at: expiresAt,
  })
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: Math.floor((expiresAt - now()) / 1000),
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }
}

/** The reason why a code cannot be exchanged in this request, or null. */
function findCodeFault({ now }: Deps, code: CodeRow, request: TokenRequest): ErrorCode | null {
  const { client_id, redirect_uri, code_verifier = '' } = request
  const isValid =
    code.expires_at > now() &&
    code.client_id === client_id &&
    (redirect_uri === undefined || redirect_uri === code.redirect_uri) &&
    verifierPattern.test(code_verifier) &&
    toChallenge(code_verifier) === code.challenge
  return isValid ? null : 'oauth.invalid_grant'
}

/** Any attempt uses the code up. A second one ends what the first one connected. */
async function exchangeCode(deps: Deps, tx: Tx, request: TokenRequest, client: Client): Promise<Outcome> {
  const hash = tokenHash(request.code ?? '')
  const code = await takeCode(tx, hash, deps.now())
  if (!code) {
    const used = await findCode(tx, hash)
    if (used) await endProgram(deps, tx, used.program_id, { client, reason: 'code used again' })
    return 'oauth.invalid_grant'
  }
  const fault = findCodeFault(deps, code, request)
  const registered = await findClient(tx, code.client_id)
  if (fault !== null || !registered) return fault ?? 'oauth.invalid_client'
  const [family, secret] = [randomToken(), randomToken()]
  const program = {
    id: code.program_id,
    user_id: code.user_id,
    client_id: code.client_id,
    name: registered.name,
    destination: code.destination,
    scopes: code.scopes,
    channel_ids: code.channel_ids,
    family_hash: tokenHash(family),
    refresh_hash: tokenHash(secret),
    created_at: deps.now(),
    expires_at: code.program_expires_at,
    last_used_at: null,
  }
  await insertProgram(tx, program)
  const scopes = JSON.parse(code.scopes) as string[]
  return issueTokens(deps, tx, program, { scopes, refreshToken: `${refreshMarker}${family}.${secret}` })
}

/** Exchanges a refresh token for new tokens. A former one was copied by someone, so it ends the connection. */
async function refresh(deps: Deps, tx: Tx, request: TokenRequest, client: Client): Promise<Outcome> {
  const [, family, secret] = refreshPattern.exec(request.refresh_token ?? '') ?? []
  if (family === undefined || secret === undefined) return 'oauth.invalid_grant'
  const program = await findProgramByFamily(tx, tokenHash(family))
  if (!program || program.client_id !== request.client_id || program.expires_at <= deps.now())
    return 'oauth.invalid_grant'
  const granted = JSON.parse(program.scopes) as string[]
  const scopes = request.scope === undefined ? granted : parseScopes(request.scope)
  if (!scopes.every((scope) => granted.includes(scope))) return 'oauth.invalid_scope'
  const next = randomToken()
  const rotation = { from: tokenHash(secret), to: tokenHash(next) }
  if (!(await rotateRefreshToken(tx, program.id, rotation))) {
    await endProgram(deps, tx, program.id, { client, reason: 'refresh token used again' })
    return 'oauth.invalid_grant'
  }
  return issueTokens(deps, tx, program, { scopes, refreshToken: `${refreshMarker}${family}.${next}` })
}

const grants = new Map([
  ['authorization_code', exchangeCode],
  ['refresh_token', refresh],
])

/** Issues tokens for a code or a refresh token. */
export async function requestTokens(
  deps: Deps,
  request: TokenRequest,
  client: Client,
): Promise<IssuedTokens> {
  const grant = grants.get(request.grant_type)
  if (grant === undefined) throw new AppError('oauth.unsupported_grant_type')
  if (!(await findClient(deps.db, request.client_id))) throw new AppError('oauth.invalid_client')
  if (request.resource !== undefined && request.resource !== getResource(deps.env))
    throw new AppError('oauth.invalid_target')
  const outcome = await deps.db.transaction().execute(async (tx) => {
    const issued = await grant(deps, tx, request, client)
    if (typeof issued !== 'string') await touchClient(tx, request.client_id, deps.now())
    return issued
  })
  return requireTokens(outcome)
}

/** Ends the connection that a token belongs to. As the protocol demands, an unknown token is no error. */
export async function revokeToken(
  deps: Deps,
  { token, client_id }: { token: string; client_id: string },
  client: Client,
): Promise<Record<never, never>> {
  const family = refreshPattern.exec(token)?.[1]
  await deps.db.transaction().execute(async (tx) => {
    const programId =
      family === undefined
        ? await findProgramIdByAccessToken(tx, tokenHash(token))
        : (await findProgramByFamily(tx, tokenHash(family)))?.id
    const program = programId === undefined ? undefined : await findProgram(tx, programId)
    if (program?.client_id !== client_id) return
    await endProgram(deps, tx, program.id, { client, reason: 'disconnected by the program' })
  })
  return {}
}
