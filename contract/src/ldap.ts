import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { claimRule, ruleMaximum } from './single-sign-on.ts'
import { partTestResult } from './status.ts'
import { email, pemCertificate } from './wire.ts'

const address = z
  .string()
  .check(
    z.trim(),
    z.maxLength(500, 'At most 500 characters.'),
    z.regex(
      /^ldaps?:\/\/[^\s/@?#\\]+\/?$/i,
      'Enter an address such as ldaps://ldap.example.org. With ldap://, the connection uses StartTLS.',
    ),
  )

function distinguishedName(example: string) {
  return z
    .string()
    .check(
      z.trim(),
      z.maxLength(500, 'At most 500 characters.'),
      z.regex(/^[\w.-]+ ?=[^\p{C}]+$/u, `Enter a name such as ${example}.`),
    )
}

const userFilter = z
  .string()
  .check(
    z.trim(),
    z.maxLength(1000, 'At most 1,000 characters.'),
    z.regex(/^\(.+\)$/, 'Enter a filter in parentheses, such as (objectClass=*).'),
  )

const attributeName = z
  .string()
  .check(z.trim(), z.regex(/^[a-z][a-z0-9;.-]{0,99}$/i, 'Enter the name of an attribute, such as mail.'))

/** Empty to keep the stored one. */
const bindPassword = z.string().check(z.maxLength(500, 'At most 500 characters.'))

const connection = {
  url: address,
  certificate: z._default(pemCertificate, ''),
  bindDn: distinguishedName('cn=lyceum,ou=services,dc=example,dc=org'),
  baseDn: distinguishedName('dc=example,dc=org'),
  userFilter: z._default(userFilter, '(objectClass=*)'),
  emailAttribute: z._default(attributeName, 'mail'),
}

export const ldapInput = z.object({
  ...connection,
  bindPassword: z._default(bindPassword, ''),
  /** Whether users of the directory without an account get one when they sign in for the first time. */
  createsUsers: z.boolean(),
  /** The claim `groups` contains names and DNs; other claims are attributes. */
  rules: z._default(z.array(claimRule).check(z.maxLength(ruleMaximum)), []),
})
export type LdapInput = z.output<typeof ldapInput>

export const ldapTest = z.object({
  ...connection,
  bindPassword: z._default(bindPassword, ''),
  /** Also looks for the user with this address. */
  email: z.optional(email),
})
export type LdapTest = z.output<typeof ldapTest>

/** Validates the form. */
export const ldapForm = z.extend(ldapInput, {
  certificate: pemCertificate,
  userFilter,
  emailAttribute: attributeName,
  bindPassword,
  rules: z.array(claimRule).check(z.maxLength(ruleMaximum)),
  /** Whose entry a test looks for, or ''. */
  testEmail: z
    .string()
    .check(z.refine((text) => text.trim() === '' || email.safeParse(text).success, 'Invalid email address')),
})
export type LdapEntries = z.input<typeof ldapForm>
export type LdapValues = z.output<typeof ldapForm>

export const directory = z.object({
  /** `unreadable`: the keys of this installation cannot decrypt the stored values. */
  state: z.enum(['ok', 'unreadable']),
  url: z.string(),
  certificate: z.string(),
  bindDn: z.string(),
  baseDn: z.string(),
  userFilter: z.string(),
  emailAttribute: z.string(),
  createsUsers: z.boolean(),
  rules: z.array(claimRule),
  /** How many users are connected to it. */
  userCount: z.number(),
})
export type Directory = z.output<typeof directory>

const settings = z.object({ directory: z.nullable(directory) })

const path = '/settings/ldap'

export const ldapApi = {
  get: endpoint({
    method: 'GET',
    path,
    access: 'system-admin',
    summary: 'Get the LDAP directory, without its password',
    reply: settings,
  }),
  save: endpoint({
    method: 'PUT',
    path,
    access: 'system-admin',
    summary: 'Set the LDAP directory whose users can sign in with their password',
    body: ldapInput,
    reply: settings,
  }),
  remove: endpoint({
    method: 'DELETE',
    path,
    access: 'system-admin',
    summary: 'Remove the directory and end the sessions that began with it',
    reply: settings,
  }),
  test: endpoint({
    method: 'POST',
    path: `${path}/test`,
    access: 'system-admin',
    limit: 'message',
    summary: 'Connect to a directory, without storing anything',
    body: ldapTest,
    reply: partTestResult,
  }),
} as const
