const hourMs = 60 * 60 * 1000
const dayHours = 24
const weekHours = 168

function ageInHours(time: Date, now: Date): number {
  return (now.getTime() - time.getTime()) / hourMs
}

type FormatOptions = Intl.DateTimeFormatOptions

const clock: FormatOptions = { hour: '2-digit', minute: '2-digit' }
const weekday: FormatOptions = { weekday: 'short' }
const date: FormatOptions = { month: 'short', day: 'numeric' }
const dateAndClock: FormatOptions = { ...date, ...clock }
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
function getFormat(form: FormatOptions, locale: string | undefined): Intl.DateTimeFormat {
  const known = formats.get(locale) ?? new Map<FormatOptions, Intl.DateTimeFormat>()
  formats.set(locale, known)
  const format = known.get(form) ?? new Intl.DateTimeFormat(locale, form)
  known.set(form, format)
  return format
}

/** When a chat began: the time for the last day, the weekday for the last week, otherwise the date. */
export function formatChatTime(time: Date, now: Date, locale?: string): string {
  const age = ageInHours(time, now)
  return getFormat(age < dayHours ? clock : age < weekHours ? weekday : date, locale).format(time)
}

/** When a message was written: the time, with the date if it is older than a day. */
export function formatMessageTime(time: Date, now: Date, locale?: string): string {
  return getFormat(ageInHours(time, now) < dayHours ? clock : dateAndClock, locale).format(time)
}

/** Date and time to the second. */
export function formatFullTime(time: Date, locale?: string): string {
  return getFormat(fullFormat, locale).format(time)
}
