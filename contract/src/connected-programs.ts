import * as z from 'zod/mini'
import { apiKeyChannelIds, apiKeyScopes } from './api-keys.ts'
import { endpoint } from './endpoint.ts'
import { id, idParams, isoTimestamp, singleLine } from './wire.ts'

/** After how many days a connection can end. The program needs the user's consent again then. */
export const programLifetimes = [7, 30, 90] as const
export const programMaximum = 20
/** The page on which users allow a program to act as them. It is the authorization endpoint of OAuth. */
export const consentPath = '/connect'

const scope = z.enum(apiKeyScopes)
function asciiText(maxLength: number) {
  return z.string().check(z.regex(/^[\x20-\x7e]*$/), z.maxLength(maxLength))
}
const names = z.optional(z.array(asciiText(100)).check(z.maxLength(10)))

/** What a program registers (RFC 7591). Further fields are ignored. */
export const programRegistration = z.object({
  client_name: z._default(singleLine(80, 'client_name must not be empty'), 'Unnamed program'),
  redirect_uris: z.array(asciiText(500)).check(z.minLength(1), z.maxLength(10)),
  grant_types: names,
  response_types: names,
})
export type ProgramRegistration = z.output<typeof programRegistration>

const registeredProgram = z.object({
  client_id: z.string(),
  client_id_issued_at: z.number(),
  client_name: z.string(),
  redirect_uris: z.array(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  token_endpoint_auth_method: z.literal('none'),
  scope: z.string(),
})
export type RegisteredProgram = z.output<typeof registeredProgram>

/** One form for both grants. What each needs is checked for it. */
export const tokenRequest = z.object({
  grant_type: asciiText(100),
  client_id: id,
  code: z.optional(asciiText(200)),
  redirect_uri: z.optional(asciiText(500)),
  code_verifier: z.optional(asciiText(200)),
  refresh_token: z.optional(asciiText(200)),
  scope: z.optional(asciiText(200)),
  resource: z.optional(asciiText(500)),
})
export type TokenRequest = z.output<typeof tokenRequest>

const issuedTokens = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: z.number(),
  refresh_token: z.string(),
  scope: z.string(),
})
export type IssuedTokens = z.output<typeof issuedTokens>

/** The query string with which the program opened the page. */
const query = z.string().check(z.maxLength(4000))

export const consentRequest = z.object({
  /** Chosen by the program itself. */
  name: z.string(),
  /** The host that the browser is sent to afterwards. */
  destination: z.string(),
  /** Whether that is the computer of the user. */
  isLocal: z.boolean(),
  scopes: z.array(scope),
  /** Set if the request cannot be allowed. The program learns of it at this address. */
  refusal: z.nullable(z.object({ message: z.string(), url: z.string() })),
})
export type ConsentRequest = z.output<typeof consentRequest>

export const programAccess = z.object({
  channelIds: apiKeyChannelIds,
  expiresInDays: z.literal(programLifetimes),
})
export type ProgramAccess = z.output<typeof programAccess>

export const connectedProgram = z.object({
  _id: id,
  name: z.string(),
  destination: z.string(),
  scopes: z.array(scope),
  /** Null for every channel of the user. Contains no channel that has been deleted. */
  channels: z.nullable(z.array(z.object({ _id: id, name: z.string() }))),
  connectedAt: isoTimestamp,
  expiresAt: isoTimestamp,
  lastUsedAt: z.nullable(isoTimestamp),
})
export type ConnectedProgram = z.output<typeof connectedProgram>

const userParams = z.object({ userId: id })

/** Called by programs. Errors have the shape of OAuth. */
export const oauthApi = {
  register: endpoint({
    method: 'POST',
    path: '/oauth/register',
    access: 'public',
    limit: 'registration',
    summary: 'Register a program (RFC 7591)',
    body: programRegistration,
    reply: registeredProgram,
  }),
  token: endpoint({
    method: 'POST',
    path: '/oauth/token',
    access: 'public',
    limit: 'read',
    summary: 'Exchange an authorization code or a refresh token for tokens',
    isForm: true,
    body: tokenRequest,
    reply: issuedTokens,
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/oauth/revoke',
    access: 'public',
    limit: 'read',
    summary: 'Disconnect a program by one of its tokens (RFC 7009)',
    isForm: true,
    body: z.object({ token: asciiText(200), client_id: id }),
    reply: z.object({}),
  }),
} as const

export const connectedProgramsApi = {
  describe: endpoint({
    method: 'POST',
    path: '/connected-programs/request',
    access: 'signed-in',
    summary: 'Describe what a program asks for',
    body: z.object({ query }),
    reply: consentRequest,
  }),
  decide: endpoint({
    method: 'POST',
    path: '/connected-programs',
    access: 'signed-in',
    summary: 'Allow or deny what a program asks for',
    /** `allowed` is null to deny it. */
    body: z.object({ query, allowed: z.nullable(programAccess) }),
    /** Where the browser returns to the program. */
    reply: z.object({ url: z.string() }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/connected-programs',
    access: 'signed-in',
    summary: 'List the programs that you have connected',
    reply: z.array(connectedProgram),
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/connected-programs/:id',
    access: 'signed-in',
    summary: 'Disconnect one of your programs',
    params: idParams,
    reply: 'none',
  }),
  listOfUser: endpoint({
    method: 'GET',
    path: '/users/:userId/connected-programs',
    access: 'canManageUsers',
    summary: 'List the programs that a user has connected',
    params: userParams,
    reply: z.array(connectedProgram),
  }),
  revokeOfUser: endpoint({
    method: 'DELETE',
    path: '/users/:userId/connected-programs/:id',
    access: 'canEditUsers',
    summary: 'Disconnect a program of a user',
    params: z.extend(userParams, { id }),
    reply: 'none',
  }),
} as const
