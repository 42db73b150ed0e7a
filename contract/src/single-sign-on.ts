import * as z from 'zod/mini'
import { loginResult } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { partTestResult } from './status.ts'
import { id, isoTimestamp, requiredText, singleLine } from './wire.ts'

/** Part of the redirect URI that is registered with the issuer, so it never changes. */
export const issuerId = z
  .string()
  .check(
    z.trim(),
    z.regex(
      /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/,
      'Use lower-case letters, digits and hyphens, at most 32.',
    ),
  )
const issuerParams = z.object({ issuerId })

export const issuerMaximum = 20
export const ruleMaximum = 50

const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:\/[^\s?#\\]*)?$/i
const secureAddress = /^https:\/\/[^\s/@?#\\]+(?:\/[^\s?#\\]*)?$/i

const issuerAddress = z.string().check(
  z.trim(),
  z.maxLength(500, 'At most 500 characters.'),
  z.refine((address) => secureAddress.test(address) || loopback.test(address), {
    error: 'Enter an address that begins with https://. http:// is allowed only for localhost.',
  }),
)

function credential(required: string) {
  return requiredText(required).check(z.trim(), z.regex(/^[\x21-\x7e]{1,500}$/, required))
}

const claimName = z
  .string()
  .check(z.trim(), z.regex(/^[\x21-\x7e]{1,200}$/, 'Enter the name of a claim, without spaces.'))

/** What users get while a claim of theirs contains a value. */
export const claimRule = z
  .object({
    /** A name, or a path with dots such as `realm_access.roles`. */
    claim: claimName,
    value: singleLine(200, 'Enter a value.'),
    channelIds: z.array(id).check(z.maxLength(100)),
    /** Groups that they are members of. */
    groupIds: z._default(z.array(id).check(z.maxLength(100)), []),
    isAdmin: z.boolean(),
  })
  .check(
    z.refine(({ channelIds, groupIds, isAdmin }) => isAdmin || channelIds.length + groupIds.length > 0, {
      error: 'Choose what the rule gives.',
      path: ['channelIds'],
    }),
  )
export type ClaimRule = z.output<typeof claimRule>
/** A rule in a form. */
export type ClaimRuleEntry = z.input<typeof claimRule>

const issuerOptions = {
  /** The text of the button is “Continue with <name>”. */
  name: singleLine(60, 'Enter a name.'),
  clientId: credential('Enter the client ID.'),
  /** Whether anyone without a user gets one when they sign in for the first time. */
  createsUsers: z.boolean(),
  /** The claim that says that the email address is confirmed. */
  verifiedClaim: z._default(claimName, 'email_verified'),
  /** Values of the claim `acr` with which no one-time code is needed. */
  acrValues: z._default(z.array(credential('Enter values without spaces.')).check(z.maxLength(20)), []),
  rules: z._default(z.array(claimRule).check(z.maxLength(ruleMaximum)), []),
}

export const issuerInput = z.object({
  _id: issuerId,
  issuer: issuerAddress,
  clientSecret: credential('Enter the client secret.'),
  ...issuerOptions,
})
export type IssuerInput = z.output<typeof issuerInput>

export const issuerChange = z.object({
  /** Left out: the stored secret stays. */
  clientSecret: z.optional(credential('Enter the client secret.')),
  ...issuerOptions,
})
export type IssuerChange = z.output<typeof issuerChange>

/** Validates the form of a new issuer. */
export const newIssuerForm = z.extend(issuerInput, {
  verifiedClaim: claimName,
  /** Separated by spaces. */
  acrValues: z.string().check(z.maxLength(2000)),
  rules: z.array(claimRule).check(z.maxLength(ruleMaximum)),
})
export type IssuerEntries = z.input<typeof newIssuerForm>
export type IssuerValues = z.output<typeof newIssuerForm>

/** Validates the form of an issuer. Its secret is empty if the stored one stays. */
export const issuerForm = z.extend(newIssuerForm, {
  clientSecret: z.string().check(z.trim(), z.regex(/^[\x21-\x7e]{0,500}$/, 'Enter the client secret.')),
})

export const issuer = z.object({
  _id: issuerId,
  /** `unreadable`: the keys of this installation cannot decrypt the stored values. */
  state: z.enum(['ok', 'unreadable']),
  name: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  createsUsers: z.boolean(),
  verifiedClaim: z.string(),
  acrValues: z.array(z.string()),
  rules: z.array(claimRule),
  /** How many users are connected to it. */
  userCount: z.number(),
})
export type Issuer = z.output<typeof issuer>

export const singleSignOn = z.object({
  issuers: z.array(issuer),
  /** The address of this installation, which the addresses for the issuer begin with. */
  publicUrl: z.string(),
  passwordSignIn: z.object({
    isOn: z.boolean(),
    /** Administrators who can always sign in with their password. */
    breakGlassCount: z.number(),
  }),
})
export type SingleSignOn = z.output<typeof singleSignOn>

export function getRedirectPath(id: string): `/${string}` {
  return `/sign-in/${id}`
}

export function getLogoutPath(id: string): `/${string}` {
  return `/api/sign-in/issuers/${id}/backchannel-logout`
}

export const publicIssuers = z.object({
  issuers: z.array(z.object({ _id: issuerId, name: z.string() })),
  isPasswordOn: z.boolean(),
})
export type PublicIssuers = z.output<typeof publicIssuers>

export const identity = z.object({
  _id: id,
  /** Of an issuer, or `@ldap` for the directory. */
  issuerId: z.string(),
  issuerName: z.string(),
  subject: z.string(),
  createdAt: isoTimestamp,
  /** Null if it was connected by an administrator and has not been used. */
  lastUsedAt: z.nullable(isoTimestamp),
})
export type Identity = z.output<typeof identity>

export const signInMethods = z.object({
  hasPassword: z.boolean(),
  isBreakGlass: z.boolean(),
  identities: z.array(identity),
})
export type SignInMethods = z.output<typeof signInMethods>

export const identityInput = z.object({
  issuerId: z.union([issuerId, z.literal('@ldap')]),
  subject: z.string().check(z.trim(), z.regex(/^[\x20-\x7e]{1,255}$/, 'Enter the subject.')),
})

const door = z.enum(['user', 'admin'])

export const singleSignOnApi = {
  listPublic: endpoint({
    method: 'GET',
    path: '/sign-in/issuers',
    access: 'public',
    summary: 'List the issuers that users can sign in with',
    reply: publicIssuers,
  }),
  start: endpoint({
    method: 'POST',
    path: '/sign-in/issuers/:issuerId/start',
    access: 'public',
    limit: 'sign-in',
    summary: 'Start a sign-in with an issuer',
    params: issuerParams,
    /** The sign-in page that the user comes from. */
    body: z.object({ door: z._default(door, 'user') }),
    reply: z.object({ url: z.string() }),
  }),
  finish: endpoint({
    method: 'POST',
    path: '/sign-in/issuers/:issuerId/finish',
    access: 'public',
    limit: 'sign-in',
    summary: 'Complete a sign-in with what the issuer sent back',
    params: issuerParams,
    /** The query string of the redirect URI. */
    body: z.object({ query: z.string().check(z.maxLength(3800)) }),
    /** `email`: where the one-time code was sent, if one is needed. */
    reply: z.extend(loginResult, { door, email: z.optional(z.string()) }),
  }),
  backchannelLogout: endpoint({
    method: 'POST',
    path: '/sign-in/issuers/:issuerId/backchannel-logout',
    access: 'public',
    limit: 'read',
    summary: 'End sessions because the user signed out at the issuer (called by the issuer)',
    params: issuerParams,
    isForm: true,
    body: z.object({ logout_token: z.string().check(z.maxLength(20_000)) }),
    reply: 'none',
  }),
  get: endpoint({
    method: 'GET',
    path: '/settings/single-sign-on',
    access: 'system-admin',
    summary: 'Get the issuers, without their secrets',
    reply: singleSignOn,
  }),
  add: endpoint({
    method: 'POST',
    path: '/settings/single-sign-on/issuers',
    access: 'system-admin',
    summary: 'Add an issuer',
    body: issuerInput,
    reply: singleSignOn,
  }),
  change: endpoint({
    method: 'PUT',
    path: '/settings/single-sign-on/issuers/:issuerId',
    access: 'system-admin',
    summary: 'Change an issuer',
    params: issuerParams,
    body: issuerChange,
    reply: singleSignOn,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/settings/single-sign-on/issuers/:issuerId',
    access: 'system-admin',
    summary: 'Remove an issuer and end the sessions that began with it',
    params: issuerParams,
    reply: singleSignOn,
  }),
  test: endpoint({
    method: 'POST',
    path: '/settings/single-sign-on/test',
    access: 'system-admin',
    limit: 'message',
    summary: 'Fetch the description and the keys of an issuer, without storing anything',
    body: z.object({ issuer: issuerAddress }),
    reply: partTestResult,
  }),
  setPasswordSignIn: endpoint({
    method: 'PUT',
    path: '/settings/single-sign-on/password',
    access: 'system-admin',
    summary: 'Switch signing in with a password on or off',
    body: z.object({ isOn: z.boolean() }),
    reply: singleSignOn,
  }),
  methodsOfUser: endpoint({
    method: 'GET',
    path: '/users/:userId/sign-in',
    access: 'canManageUsers',
    summary: 'Tell how a user signs in',
    params: z.object({ userId: id }),
    reply: signInMethods,
  }),
  connectUser: endpoint({
    method: 'POST',
    path: '/users/:userId/identities',
    access: 'system-admin',
    summary: 'Connect a user to a subject of an issuer',
    params: z.object({ userId: id }),
    body: identityInput,
    reply: signInMethods,
  }),
  disconnectUser: endpoint({
    method: 'DELETE',
    path: '/users/:userId/identities/:identityId',
    access: 'canEditUsers',
    summary: 'Disconnect a user from an issuer and end the sessions that began with it',
    params: z.object({ userId: id, identityId: id }),
    reply: signInMethods,
  }),
} as const
