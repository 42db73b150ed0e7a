import { createHash } from 'node:crypto'
import { type ApiKeyScope, apiKeyScopes } from '@lyceum/contract/api-keys'
import { type ConsentRequest, type ProgramAccess, programMaximum } from '@lyceum/contract/connected-programs'
import type { ErrorCode } from '@lyceum/contract/errors'
import { uuidv7 } from 'uuidv7'
import { randomToken, tokenHash } from '#keys/secrets.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit, userObject } from '../audit/append.ts'
import { isMemberOfAll } from '../channels/access.ts'
import { findChannelNames } from '../channels/channel-names.ts'
import { requireLockedUser } from '../users/access.ts'
import { type ClientRow, findClient, touchClient } from './client-store.ts'
import { describeDestination, matchesRedirectUri } from './redirect-uri.ts'
import { countPrograms, insertCode } from './store.ts'

const day = 86_400_000
/** Milliseconds that a program has to exchange its code. */
const codeLifetime = 60_000

/** The address that tokens are valid for. */
export function getResource({ PUBLIC_URL }: Deps['env']): string {
  return `${PUBLIC_URL}/mcp`
}

/** Returns all scopes if none is named. Throws for those that do not exist. */
export function parseScopes(text: string | null | undefined): ApiKeyScope[] {
  const named = (text ?? '').split(' ').filter((scope) => scope !== '')
  if (named.length === 0) return [...apiKeyScopes]
  const known = apiKeyScopes.filter((scope) => named.includes(scope))
  if (named.some((scope) => !(apiKeyScopes as readonly string[]).includes(scope)))
    throw new AppError('oauth.invalid_scope')
  return known
}

interface Addressed {
  client: ClientRow
  redirectUri: string
  params: URLSearchParams
}

/** Finds the program and checks its address. Until then, nothing may be sent to that address. */
async function requireAddress(deps: Deps, query: string): Promise<Addressed> {
  const params = new URLSearchParams(query)
  if (new Set(params.keys()).size !== params.size || query.includes('%00'))
    throw new AppError('oauth.invalid_request')
  const client = await findClient(deps.db, params.get('client_id') ?? '')
  if (!client) throw new AppError('program.unknown')
  const redirectUri = params.get('redirect_uri') ?? ''
  const registered = JSON.parse(client.redirect_uris) as string[]
  if (!registered.some((uri) => matchesRedirectUri(uri, redirectUri))) throw new AppError('program.address')
  return { client, redirectUri, params }
}

/** The address at which the program receives the result, with its state and our name (RFC 9207). */
function buildResultUrl(
  { env }: Deps,
  { redirectUri, params }: Addressed,
  result: Record<string, string>,
): string {
  const url = new URL(redirectUri)
  const state = params.get('state')
  const all = { ...result, ...(state === null ? {} : { state }), iss: env.PUBLIC_URL }
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
  return url.href
}

/** Throws if the request cannot be allowed. */
function requireRequest({ env }: Deps, { params }: Addressed): { challenge: string; scopes: ApiKeyScope[] } {
  if (params.get('response_type') !== 'code') throw new AppError('oauth.unsupported_response_type')
  const challenge = params.get('code_challenge') ?? ''
  if (params.get('code_challenge_method') !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(challenge))
    throw new AppError('oauth.invalid_request')
  const resource = params.get('resource')
  if (resource !== null && resource !== getResource(env)) throw new AppError('oauth.invalid_target')
  return { challenge, scopes: parseScopes(params.get('scope')) }
}

function toOauthCode(code: ErrorCode): string {
  return code.replace('oauth.', '')
}

function checkRequest(deps: Deps, addressed: Addressed) {
  try {
    return { ...requireRequest(deps, addressed), refusal: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const url = buildResultUrl(deps, addressed, { error: toOauthCode(error.code) })
    return { challenge: '', scopes: [], refusal: { message: error.message, url } }
  }
}

/** Describes what a program asks for, so that the user can decide. */
export async function describeRequest(deps: Deps, query: string): Promise<ConsentRequest> {
  const addressed = await requireAddress(deps, query)
  const { scopes, refusal } = checkRequest(deps, addressed)
  return { name: addressed.client.name, ...describeDestination(addressed.redirectUri), scopes, refusal }
}

/** The code challenge that belongs to a verifier (RFC 7636, S256). */
export function toChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

async function storeConsent(
  deps: Deps,
  actor: Actor,
  { client, redirectUri }: Addressed,
  {
    challenge,
    scopes,
    channelIds,
    expiresInDays,
  }: ProgramAccess & { challenge: string; scopes: ApiKeyScope[] },
): Promise<string> {
  const code = randomToken()
  const now = deps.now()
  const programId = uuidv7()
  const { destination } = describeDestination(redirectUri)
  await deps.db.transaction().execute(async (tx) => {
    // The lock makes concurrent calls count each other's programs.
    const user = await requireLockedUser(tx, actor.userId)
    if ((await countPrograms(tx, actor.userId, now)) >= programMaximum) throw new AppError('program.limit')
    if (!(await isMemberOfAll(tx, actor.userId, channelIds ?? []))) throw notFound()
    await touchClient(tx, client.id, now)
    await insertCode(tx, {
      code_hash: tokenHash(code),
      user_id: actor.userId,
      client_id: client.id,
      destination,
      redirect_uri: redirectUri,
      challenge,
      scopes: JSON.stringify(scopes),
      channel_ids: channelIds === null ? null : JSON.stringify([...new Set(channelIds)]),
      program_id: programId,
      program_expires_at: now + expiresInDays * day,
      expires_at: now + codeLifetime,
      used_at: null,
    })
    await audit(deps, tx, {
      actor,
      action: 'program.connected',
      object: userObject(user),
      after: {
        programId,
        name: client.name,
        destination,
        scopes,
        channels: channelIds === null ? 'all' : [...(await findChannelNames(tx, channelIds)).values()],
        ...(channelIds === null ? {} : { channelIds }),
        expiresInDays,
      },
    })
  })
  return code
}

/** Stores what the user allows. Returns where the browser goes, with a code for the program or the reason for none. */
export async function decideRequest(
  deps: Deps,
  actor: Actor,
  { query, allowed }: { query: string; allowed: ProgramAccess | null },
): Promise<{ url: string }> {
  const addressed = await requireAddress(deps, query)
  const { challenge, scopes, refusal } = checkRequest(deps, addressed)
  if (refusal !== null) return { url: refusal.url }
  if (allowed === null) return { url: buildResultUrl(deps, addressed, { error: 'access_denied' }) }
  const code = await storeConsent(deps, actor, addressed, { ...allowed, challenge, scopes })
  return { url: buildResultUrl(deps, addressed, { code }) }
}
