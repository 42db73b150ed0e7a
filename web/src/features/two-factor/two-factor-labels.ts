import type { TwoFactorSettings } from '@lyceum/contract/two-factor'
import { formatCount } from '#lib/format-count.ts'

/** What settings ask of a person, in a sentence. */
export function twoFactorInWords(settings: TwoFactorSettings): string {
  return settings.twoFactorExpiryEnabled
    ? `A code is asked for; a browser is then trusted for ${formatCount(settings.twoFactorExpiryDays, 'day')}.`
    : 'No code is asked for: the password alone is enough.'
}

/** Settings as the form shows them. */
export function entriesOf({ twoFactorExpiryDays, twoFactorExpiryEnabled }: TwoFactorSettings) {
  return {
    twoFactorExpiryDays: String(twoFactorExpiryDays),
    twoFactorExpiryEnabled,
  }
}
