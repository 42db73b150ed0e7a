import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, message } from './wire.ts'

export const expiryDaysMin = 1
export const expiryDaysMax = 365
export const expiryDaysDefault = 30

/** For how many days a browser is trusted after a code. The server takes nothing outside 1 to 365. */
export const expiryDays = z
  .number()
  .check(
    z.int('A whole number of days'),
    z.gte(expiryDaysMin, 'From 1 to 365 days'),
    z.lte(expiryDaysMax, 'From 1 to 365 days'),
  )

/** What the forms make of an entry: 30 when it is empty or not a number. */
export const expiryDaysFrom = (entry: string): number => {
  const days = Number(entry)
  return entry.trim() === '' || Number.isNaN(days) ? expiryDaysDefault : days
}

export const twoFactorSettings = z.object({
  twoFactorExpiryDays: expiryDays,
  twoFactorExpiryEnabled: z.boolean(),
})

export type TwoFactorSettings = z.output<typeof twoFactorSettings>

/** The same as it is typed: an entry that is no number stands for the default. */
export const twoFactorForm = z.extend(twoFactorSettings, {
  twoFactorExpiryDays: z.pipe(z.string(), z.pipe(z.transform(expiryDaysFrom), expiryDays)),
})
export type TwoFactorEntries = z.input<typeof twoFactorForm>

export const userTwoFactor = z.extend(twoFactorSettings, {
  /** False while the person follows the global settings. */
  isOverride: z.boolean(),
})

export type UserTwoFactor = z.output<typeof userTwoFactor>

const userParams = z.object({ userId: id })

export const twoFactorApi = {
  forceReverification: endpoint({
    method: 'POST',
    path: '/settings/force-2fa-reverification/:userId',
    access: 'canForce2FAReVerification',
    summary: 'Forget every browser and session of a person',
    params: userParams,
    reply: message,
  }),
  get: endpoint({
    method: 'GET',
    path: '/settings/users/:userId/2fa-settings',
    access: 'canManageUsers',
    summary: 'The second-factor settings that hold for a person',
    params: userParams,
    reply: userTwoFactor,
  }),
  override: endpoint({
    method: 'PUT',
    path: '/settings/users/:userId/2fa-settings',
    access: 'canManageUsers',
    summary: 'Give a person second-factor settings of their own',
    params: userParams,
    body: twoFactorSettings,
    reply: userTwoFactor,
  }),
  reset: endpoint({
    method: 'DELETE',
    path: '/settings/users/:userId/2fa-settings',
    access: 'canManageUsers',
    summary: 'Let a person follow the global second-factor settings again',
    params: userParams,
    reply: userTwoFactor,
  }),
} as const
