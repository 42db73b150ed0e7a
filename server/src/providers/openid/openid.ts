import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import * as client from 'openid-client'
import * as z from 'zod'
import { createBoundedFetch } from './bounded-fetch.ts'
import { IssuerError, issuerTimeout, toIssuerError } from './issuer-error.ts'

/** Seconds by which the clocks of the servers may differ. */
const tolerance = 30

const signingAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
].concat(['EdDSA', 'Ed25519'])

export interface IssuerConnection {
  issuer: string
  clientId: string
  clientSecret: string
}

export type Claims = Readonly<Record<string, unknown>>

/** What must stay the same between the two halves of a sign-in. */
export interface SignInChecks {
  state: string
  nonce: string
  verifier: string
}

/** The method that every issuer must support, unless it lists others. */
function authenticateClient(secret: string): client.ClientAuth {
  return (issuer, ...rest) => {
    const methods = issuer.token_endpoint_auth_methods_supported
    const useHeader = methods === undefined || methods.includes('client_secret_basic')
    const authenticate = useHeader ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret)
    return authenticate(issuer, ...rest)
  }
}

/**
 * Reads the issuer's description each time, so that new keys and addresses apply at once and on all servers. Signatures are
 * checked even though the token comes directly from the issuer.
 */
async function discover(
  { issuer, clientId, clientSecret }: IssuerConnection,
  fetch: client.CustomFetch,
): Promise<client.Configuration> {
  const url = new URL(issuer)
  const isPlain = url.protocol === 'http:'
  return client.discovery(
    url,
    clientId,
    { [client.clockTolerance]: tolerance },
    authenticateClient(clientSecret),
    {
      [client.customFetch]: fetch,
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
    },
  )
}

async function withDeadline<T>(run: (fetch: client.CustomFetch) => Promise<T>): Promise<T> {
  try {
    return await run(createBoundedFetch(AbortSignal.timeout(issuerTimeout)))
  } catch (error) {
    throw toIssuerError(error)
  }
}

export function createSignInChecks(): SignInChecks {
  return {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  }
}

/** The address at the issuer to send the browser to. */
export function buildSignInUrl(
  connection: IssuerConnection,
  redirectUri: string,
  { state, nonce, verifier }: SignInChecks,
): Promise<string> {
  return withDeadline(async (fetch) => {
    const configuration = await discover(connection, fetch)
    if (configuration.serverMetadata().authorization_endpoint === undefined)
      throw new IssuerError('misconfigured', 'the issuer has no page to sign in')
    return client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).href
  })
}

/**
 * Redeems the code and returns the claims of the ID token, with those of the user info endpoint that it lacks. `callback` is
 * the redirect URI with the parameters that the issuer added.
 */
export function redeemCode(
  connection: IssuerConnection,
  callback: URL,
  { state, nonce, verifier }: SignInChecks,
): Promise<Claims & { sub: string }> {
  return withDeadline(async (fetch) => {
    const configuration = await discover(connection, fetch)
    const tokens = await client.authorizationCodeGrant(configuration, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new IssuerError('invalid', 'the issuer sent no ID token')
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims
    const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    // If they name different addresses, the one must not be taken as confirmed by the other.
    return claims['email'] === undefined || claims['email'] === more.email ? { ...more, ...claims } : claims
  })
}

async function fetchKeys(
  configuration: client.Configuration,
  fetch: client.CustomFetch,
): Promise<JSONWebKeySet> {
  const { jwks_uri: address } = configuration.serverMetadata()
  if (address === undefined) throw new IssuerError('misconfigured', 'the issuer names no keys')
  const response = await fetch(address, {
    method: 'GET',
    headers: { accept: 'application/json' },
    body: undefined,
    redirect: 'manual',
  })
  if (!response.ok) throw new IssuerError('misconfigured', `the keys were answered with ${response.status}`)
  return (await response.json()) as JSONWebKeySet
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

const logoutClaims = z
  .object({
    jti: z.string().min(1).max(500),
    sub: z.string().min(1).max(255).optional(),
    sid: z.string().min(1).max(500).optional(),
    events: z.object({ [logoutEvent]: z.object({}) }),
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined)

export interface LogoutClaims {
  jti: string
  subject: string | null
  issuerSession: string | null
}

/** Seconds after it was issued during which a logout token is accepted. */
export const logoutTokenLifetime = 300

/** Checks a token by which the issuer says that a user signed out (OpenID Connect Back-Channel Logout 1.0). */
export function verifyLogoutToken(connection: IssuerConnection, token: string): Promise<LogoutClaims> {
  return withDeadline(async (fetch) => {
    const keys = await fetchKeys(await discover(connection, fetch), fetch)
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer: connection.issuer,
      audience: connection.clientId,
      algorithms: signingAlgorithms,
      clockTolerance: tolerance,
      maxTokenAge: logoutTokenLifetime,
    })
    const { jti, sub, sid } = logoutClaims.parse(payload)
    return { jti, subject: sub ?? null, issuerSession: sid ?? null }
  })
}

export interface IssuerDescription {
  keyCount: number
  /** All addresses to which Lyceum itself connects. */
  endpoints: string[]
  announcesIssuer: boolean
  supportsBackchannelLogout: boolean
}

/** Reads the description and the keys, without a client. */
export function describeIssuer(issuer: string): Promise<IssuerDescription> {
  return withDeadline(async (fetch) => {
    const configuration = await discover({ issuer, clientId: 'test', clientSecret: 'test' }, fetch)
    const metadata = configuration.serverMetadata()
    const { authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri } = metadata
    if (authorization_endpoint === undefined || token_endpoint === undefined)
      throw new IssuerError('misconfigured', 'the description names no sign-in page')
    const keys = await fetchKeys(configuration, fetch)
    return {
      keyCount: Array.isArray(keys.keys) ? keys.keys.length : 0,
      endpoints: [token_endpoint, userinfo_endpoint, jwks_uri].filter((address) => address !== undefined),
      announcesIssuer: metadata.authorization_response_iss_parameter_supported === true,
      supportsBackchannelLogout: metadata['backchannel_logout_supported'] === true,
    }
  })
}
