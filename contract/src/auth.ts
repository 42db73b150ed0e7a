import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { permissions, role } from './permissions.ts'
import { email, id, idParams, instant, line, message } from './wire.ts'

export const passwordMinLength = 8
export const passwordMaxLength = 256
export const passwordWords = 'Password must be at least 8 characters'
const mismatchWords = "Passwords don't match"

export const password = z
  .string()
  .check(
    z.minLength(passwordMinLength, passwordWords),
    z.maxLength(passwordMaxLength, 'At most 256 characters'),
  )

export const personName = (required: string) => line(120, required)

/** A link's secret: 32 random bytes, base64url. Anything else is refused by the server, in the words for its link. */
export const linkToken = z.string().check(z.maxLength(1000))

/** A person as the administration sees them. */
export const user = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  role,
  channels: z.array(z.string()),
  isSystemAdmin: z.boolean(),
  createdAt: instant,
})
export type User = z.output<typeof user>

/** The signed-in person: the user with their effective rights. */
export const sessionUser = z.extend(user, { permissions })
export type SessionUser = z.output<typeof sessionUser>

export const credentials = z.object({ email, password })

export const loginInput = z.extend(credentials, {
  /** The administrator sign-in refuses ordinary users without giving them a session. */
  door: z.optional(z.enum(['user', 'admin'])),
})

/** How a code travels: without a mail server it is written into the installation's outbox folder. */
export const codeDelivery = z.enum(['mail', 'outbox'])
export type CodeDelivery = z.output<typeof codeDelivery>

/** Without a token a second step is required. */
export const loginResult = z.object({
  token: z.optional(z.string()),
  user: z.optional(sessionUser),
  requires2FA: z.optional(z.boolean()),
  delivery: z.optional(codeDelivery),
  /** Seconds until another code may be asked for. */
  resendAfter: z.optional(z.number()),
})
export type LoginResult = z.output<typeof loginResult>

export const session = z.object({ token: z.string(), user: sessionUser })

/** Read from a mail, a code may come in groups or with the end of its line. */
export const verificationCode = z.string().check(
  z.overwrite((code) => code.replaceAll(/\s/g, '')),
  z.minLength(1, 'Verification code is required'),
  z.maxLength(32, 'Invalid verification token'),
)

const fullName = personName('Full name is required')

export const registration = z.object({ email, fullName, password, token: linkToken })

export const registrationForm = z
  .object({ email, fullName, password, confirm: z.string() })
  .check(z.refine((form) => form.confirm === form.password, { error: mismatchWords, path: ['confirm'] }))

export const forgotInput = z.object({ email })

export const resetInput = z.object({ token: linkToken, newPassword: password })

export const resetForm = z
  .object({ newPassword: password, confirm: password })
  .check(z.refine((form) => form.confirm === form.newPassword, { error: mismatchWords, path: ['confirm'] }))

/** A browser as its person recognises it. */
const browserInfo = {
  _id: id,
  createdAt: instant,
  /** Such as 'Firefox on Windows'. */
  browser: z.string(),
  ip: z.string(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
}

/** One of a person's sign-ins, for their own list. */
export const sessionInfo = z.object({ ...browserInfo, lastSeenAt: instant })
export type SessionInfo = z.output<typeof sessionInfo>

/** A browser in which a code was entered: until `expiresAt` the password alone is enough there. */
export const trustedBrowser = z.object({ ...browserInfo, lastUsedAt: instant, expiresAt: instant })
export type TrustedBrowser = z.output<typeof trustedBrowser>

export const authApi = {
  login: endpoint({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    limit: 'sign-in',
    summary: 'Sign in with e-mail and password',
    body: loginInput,
    reply: loginResult,
  }),
  verify: endpoint({
    method: 'POST',
    path: '/auth/verify-2fa',
    access: 'public',
    limit: 'sign-in',
    summary: 'Finish a sign-in with the code sent by e-mail',
    body: z.object({ email, token: verificationCode }),
    reply: session,
  }),
  resendCode: endpoint({
    method: 'POST',
    path: '/auth/resend-code',
    access: 'public',
    limit: 'sign-in',
    summary: 'Send the pending sign-in another code',
    body: z.object({ email }),
    reply: z.extend(message, { delivery: codeDelivery, resendAfter: z.number() }),
  }),
  register: endpoint({
    method: 'POST',
    path: '/auth/register',
    access: 'public',
    limit: 'sign-in',
    summary: 'Complete a registration by invitation',
    body: registration,
    reply: message,
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/auth/forgot-password',
    access: 'public',
    limit: 'forgot',
    summary: 'Ask for a link to set a new password',
    body: forgotInput,
    reply: message,
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/auth/reset-password',
    access: 'public',
    limit: 'sign-in',
    summary: 'Set a new password with the link that was sent',
    body: resetInput,
    reply: loginResult,
  }),
  me: endpoint({
    method: 'GET',
    path: '/auth/me',
    access: 'signed-in',
    summary: 'The signed-in person with their effective rights',
    reply: sessionUser,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/auth/logout',
    access: 'signed-in',
    summary: 'End this session',
    reply: 'none',
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/auth/sessions',
    access: 'signed-in',
    summary: 'The signed-in person’s own sessions',
    reply: z.array(sessionInfo),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/auth/sessions/:id',
    access: 'signed-in',
    summary: 'End one of the signed-in person’s sessions',
    params: idParams,
    reply: 'none',
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/auth/sessions',
    access: 'signed-in',
    summary: 'End every session of the signed-in person but this one',
    reply: message,
  }),
  trustedBrowsers: endpoint({
    method: 'GET',
    path: '/auth/trusted-browsers',
    access: 'signed-in',
    summary: 'The browsers in which the signed-in person needs no code',
    reply: z.array(trustedBrowser),
  }),
  forgetBrowser: endpoint({
    method: 'DELETE',
    path: '/auth/trusted-browsers/:id',
    access: 'signed-in',
    summary: 'Ask for a code again in one of these browsers, and end its sessions',
    params: idParams,
    reply: 'none',
  }),
} as const
