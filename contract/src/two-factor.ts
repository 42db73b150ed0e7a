import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { confirmation, id } from './wire.ts'

export const expiryDaysMin = 1
export const expiryDaysMax = 365
export const expiryDaysDefault = 30

/** Days for which a browser stays trusted after a correct code. The server rejects values outside 1 to 365. */
export const expiryDays = z
  .number()
  .check(
    z.int('A whole number of days'),
    z.gte(expiryDaysMin, 'From 1 to 365 days'),
    z.lte(expiryDaysMax, 'From 1 to 365 days'),
  )

/** Parses a form field. Returns 30 if it is empty or not a number. */
export function parseExpiryDays(entry: string): number {
  const days = Number(entry)
  return entry.trim() === '' || Number.isNaN(days) ? expiryDaysDefault : days
}

export const twoFactorSettings = z.object({
  twoFactorExpiryDays: expiryDays,
  twoFactorExpiryEnabled: z.boolean(),
})

export type TwoFactorSettings = z.output<typeof twoFactorSettings>

/** Validates the form, in which an entry that is not a number becomes the default. */
export const twoFactorForm = z.extend(twoFactorSettings, {
  twoFactorExpiryDays: z.pipe(z.string(), z.pipe(z.transform(parseExpiryDays), expiryDays)),
})
export type TwoFactorEntries = z.input<typeof twoFactorForm>

export const userTwoFactor = z.extend(twoFactorSettings, {
  /** False while the global settings apply to the user. */
  isOverride: z.boolean(),
})

export type UserTwoFactor = z.output<typeof userTwoFactor>

const userParams = z.object({ userId: id })

export const twoFactorApi = {
  forceReverification: endpoint({
    method: 'POST',
    path: '/settings/force-2fa-reverification/:userId',
    access: 'canForce2FAReVerification',
    summary: 'Remove all trusted browsers and sessions of a user',
    params: userParams,
    reply: confirmation,
  }),
  get: endpoint({
    method: 'GET',
    path: '/settings/users/:userId/2fa-settings',
    access: 'canManageUsers',
    summary: 'Get the two-factor settings in use for a user',
    params: userParams,
    reply: userTwoFactor,
  }),
  override: endpoint({
    method: 'PUT',
    path: '/settings/users/:userId/2fa-settings',
    access: 'canManageUsers',
    summary: 'Override the two-factor settings for a user',
    params: userParams,
    body: twoFactorSettings,
    reply: userTwoFactor,
  }),
  reset: endpoint({
    method: 'DELETE',
    path: '/settings/users/:userId/2fa-settings',
    access: 'canManageUsers',
    summary: 'Reset a user to the global two-factor settings',
    params: userParams,
    reply: userTwoFactor,
  }),
} as const
