import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { permissions, role } from './permissions.ts'
import { confirmation, email, id, idParams, isoTimestamp, requiredText, singleLine } from './wire.ts'

export const passwordMinLength = 8
export const passwordMaxLength = 256
export const passwordTooShort = 'Password must be at least 8 characters'
const passwordMismatch = "Passwords don't match"

export const password = requiredText(passwordTooShort).check(
  z.minLength(passwordMinLength, passwordTooShort),
  z.maxLength(passwordMaxLength, 'At most 256 characters'),
)

export function userName(required: string) {
  return singleLine(120, required)
}

/**
 * The secret in an emailed link: 32 random bytes as base64url. Only the length is checked here, so that the server can
 * answer an invalid token with the error text for that kind of link.
 */
export const linkToken = z.string().check(z.maxLength(1000))

/** A user as administrators see them. */
export const user = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  role,
  channels: z.array(z.string()),
  isSystemAdmin: z.boolean(),
  createdAt: isoTimestamp,
})
export type User = z.output<typeof user>

/** The signed-in user with their effective permissions. */
export const sessionUser = z.extend(user, {
  permissions,
  /** Only if the user has no password, and so signs in with single sign-on. */
  usesSingleSignOn: z.optional(z.literal(true)),
})
export type SessionUser = z.output<typeof sessionUser>

export const credentials = z.object({ email, password })

export const loginInput = z.extend(credentials, {
  /** Which login page sent the request. `admin` rejects ordinary users without creating a session. */
  door: z.optional(z.enum(['user', 'admin'])),
})

/** `outbox`: no mail server is set up, so codes and links are written to files in the outbox folder. */
export const codeDelivery = z.enum(['mail', 'outbox'])
export type CodeDelivery = z.output<typeof codeDelivery>

/** No token means that the sign-in needs a one-time code. */
export const loginResult = z.object({
  token: z.optional(z.string()),
  user: z.optional(sessionUser),
  requires2FA: z.optional(z.boolean()),
  delivery: z.optional(codeDelivery),
  /** Seconds until another code can be requested. */
  resendAfter: z.optional(z.number()),
})
export type LoginResult = z.output<typeof loginResult>

export const session = z.object({ token: z.string(), user: sessionUser })

const codeRequired = 'Verification code is required'
/** A code pasted from an email may contain spaces or a line break. */
export const verificationCode = requiredText(codeRequired).check(
  z.overwrite((code) => code.replaceAll(/\s/g, '')),
  z.minLength(1, codeRequired),
  z.maxLength(32, 'Invalid verification token'),
)

const fullName = userName('Full name is required')

export const registration = z.object({ email, fullName, password, token: linkToken })

export const registrationForm = z
  .object({ email, fullName, password, confirm: z.string() })
  .check(z.refine((form) => form.confirm === form.password, { error: passwordMismatch, path: ['confirm'] }))

export const forgotInput = z.object({ email })

export const resetInput = z.object({ token: linkToken, newPassword: password })

export const resetForm = z
  .object({ newPassword: password, confirm: password })
  .check(
    z.refine((form) => form.confirm === form.newPassword, { error: passwordMismatch, path: ['confirm'] }),
  )

/** Details by which users recognize their browser. */
const browserInfo = {
  _id: id,
  createdAt: isoTimestamp,
  /** For example 'Firefox on Windows'. */
  browser: z.string(),
  ip: z.string(),
  /** Whether this is the browser that sent the request. */
  current: z.boolean(),
}

/** One of the user's own sessions. */
export const sessionInfo = z.object({
  ...browserInfo,
  lastSeenAt: isoTimestamp,
  /** For a sign-in to the chat on another site: the site. */
  site: z.optional(z.string()),
})
export type SessionInfo = z.output<typeof sessionInfo>

/** A browser that needs no one-time code until `expiresAt`. */
export const trustedBrowser = z.object({ ...browserInfo, lastUsedAt: isoTimestamp, expiresAt: isoTimestamp })
export type TrustedBrowser = z.output<typeof trustedBrowser>

export const authApi = {
  login: endpoint({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    limit: 'sign-in',
    summary: 'Sign in with email and password',
    body: loginInput,
    reply: loginResult,
  }),
  verify: endpoint({
    method: 'POST',
    path: '/auth/verify-2fa',
    access: 'public',
    limit: 'sign-in',
    summary: 'Complete a sign-in with the emailed code',
    body: z.object({ email, token: verificationCode }),
    reply: session,
  }),
  resendCode: endpoint({
    method: 'POST',
    path: '/auth/resend-code',
    access: 'public',
    limit: 'sign-in',
    summary: 'Send another code for the pending sign-in',
    body: z.object({ email }),
    reply: z.extend(confirmation, { delivery: codeDelivery, resendAfter: z.number() }),
  }),
  register: endpoint({
    method: 'POST',
    path: '/auth/register',
    access: 'public',
    limit: 'sign-in',
    summary: 'Register with an invitation',
    body: registration,
    reply: confirmation,
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/auth/forgot-password',
    access: 'public',
    limit: 'forgot',
    summary: 'Request a password reset link',
    body: forgotInput,
    reply: confirmation,
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/auth/reset-password',
    access: 'public',
    limit: 'sign-in',
    summary: 'Set a new password with a reset link',
    body: resetInput,
    reply: loginResult,
  }),
  setupState: endpoint({
    method: 'GET',
    path: '/auth/setup',
    access: 'public',
    summary: 'Tell whether this installation has been set up',
    reply: z.object({ isSetUp: z.boolean() }),
  }),
  delivery: endpoint({
    method: 'GET',
    path: '/auth/delivery',
    access: 'public',
    summary: 'Tell whether codes and links reach users by email',
    reply: z.object({ delivery: codeDelivery }),
  }),
  me: endpoint({
    method: 'GET',
    path: '/auth/me',
    access: 'signed-in',
    summary: 'Get the signed-in user with their effective permissions',
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
    summary: 'List your own sessions',
    reply: z.array(sessionInfo),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/auth/sessions/:id',
    access: 'signed-in',
    summary: 'End one of your own sessions',
    params: idParams,
    reply: 'none',
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/auth/sessions',
    access: 'signed-in',
    summary: 'End all of your other sessions',
    reply: confirmation,
  }),
  trustedBrowsers: endpoint({
    method: 'GET',
    path: '/auth/trusted-browsers',
    access: 'signed-in',
    summary: 'List your trusted browsers',
    reply: z.array(trustedBrowser),
  }),
  forgetBrowser: endpoint({
    method: 'DELETE',
    path: '/auth/trusted-browsers/:id',
    access: 'signed-in',
    summary: 'Stop trusting a browser and end its sessions',
    params: idParams,
    reply: 'none',
  }),
} as const
