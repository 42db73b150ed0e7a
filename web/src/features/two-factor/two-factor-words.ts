import type { TwoFactorSettings } from '@lyceum/contract/two-factor'

const daysInWords = (days: number): string => (days === 1 ? '1 day' : `${days} days`)

/** What settings ask of a person, in a sentence. */
export const twoFactorInWords = (settings: TwoFactorSettings): string =>
  settings.twoFactorExpiryEnabled
    ? `A code is asked for; a browser is then trusted for ${daysInWords(settings.twoFactorExpiryDays)}.`
    : 'No code is asked for: the password alone is enough.'

/** Settings as the form shows them. */
export const entriesOf = ({ twoFactorExpiryDays, twoFactorExpiryEnabled }: TwoFactorSettings) => ({
  twoFactorExpiryDays: String(twoFactorExpiryDays),
  twoFactorExpiryEnabled,
})
