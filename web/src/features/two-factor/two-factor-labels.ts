import type { TwoFactorSettings } from '@lyceum/contract/two-factor'
import { formatCount } from '#lib/format-count.ts'

export function describeTwoFactor(settings: TwoFactorSettings): string {
  return settings.twoFactorExpiryEnabled
    ? `A code is required; the browser is then trusted for ${formatCount(settings.twoFactorExpiryDays, 'day')}.`
    : 'No code is required: users sign in with just a password.'
}

/** Converts settings to the values of the form fields. */
export function toEntries({ twoFactorExpiryDays, twoFactorExpiryEnabled }: TwoFactorSettings) {
  return {
    twoFactorExpiryDays: String(twoFactorExpiryDays),
    twoFactorExpiryEnabled,
  }
}

/** Shown where two-factor authentication can be turned on although no mail server is configured. */
export const noMailServerText =
  'This server cannot send email. While 2FA is on, codes are saved in its outbox folder, so users can sign in only if you give them their code.'
