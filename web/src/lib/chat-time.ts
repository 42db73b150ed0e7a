const hourMs = 60 * 60 * 1000
const dayHours = 24
const weekHours = 168

function getAgeInHours(time: Date, now: Date): number {
  return (now.getTime() - time.getTime()) / hourMs
}

type FormatOptions = Intl.DateTimeFormatOptions

const clock: FormatOptions = { timeStyle: 'short' }
const weekday: FormatOptions = { weekday: 'short' }
const date: FormatOptions = { month: 'short', day: 'numeric' }
const dateAndClock: FormatOptions = { ...date, hour: 'numeric', minute: '2-digit' }
const fullFormat: FormatOptions = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
}

const formats = new Map<string | undefined, Map<FormatOptions, Intl.DateTimeFormat>>()

/** Cached, because creating a format takes longer than rendering a message. */
function getFormat(options: FormatOptions, locale: string | undefined): Intl.DateTimeFormat {
  const formatsOfLocale = formats.get(locale) ?? new Map<FormatOptions, Intl.DateTimeFormat>()
  formats.set(locale, formatsOfLocale)
  const format = formatsOfLocale.get(options) ?? new Intl.DateTimeFormat(locale, options)
  formatsOfLocale.set(options, format)
  return format
}

/** Formats when a chat began: as a time within a day, as a weekday within a week, otherwise as a date. */
export function formatChatTime(time: Date, now: Date, locale?: string): string {
  const age = getAgeInHours(time, now)
  return getFormat(age < dayHours ? clock : age < weekHours ? weekday : date, locale).format(time)
}

/** Formats when a message was written: as a time, with the date if it is older than a day. */
export function formatMessageTime(time: Date, now: Date, locale?: string): string {
  return getFormat(getAgeInHours(time, now) < dayHours ? clock : dateAndClock, locale).format(time)
}

/** Date and time to the second. */
export function formatFullTime(time: Date, locale?: string): string {
  return getFormat(fullFormat, locale).format(time)
}
