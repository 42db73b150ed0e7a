const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats with a cached formatter, because creating one costs more than rendering the row around it. */
function format(date: Date, options: Intl.DateTimeFormatOptions, locale: string | undefined): string {
  const key = JSON.stringify([locale, options])
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, known)
  return known.format(date)
}

/** Date and time in the browser's locale and time zone. */
export function formatDateTime(timestamp: string, locale?: string, timeZone?: string): string {
  return format(new Date(timestamp), { dateStyle: 'medium', timeStyle: 'short', timeZone }, locale)
}

/** Date and time with seconds, to tell apart what happened within a minute. */
export function formatExactDateTime(timestamp: string, locale?: string, timeZone?: string): string {
  return format(new Date(timestamp), { dateStyle: 'medium', timeStyle: 'medium', timeZone }, locale)
}

/** Date and time without seconds and, in the current year, without the year. */
export function formatShortDateTime(
  timestamp: string,
  now: Date,
  locale?: string,
  timeZone?: string,
): string {
  const date = new Date(timestamp)
  const year = { year: 'numeric', timeZone } as const
  const isThisYear = format(date, year, 'en') === format(now, year, 'en')
  const options = {
    year: isThisYear ? undefined : 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  } as const
  return format(date, options, locale)
}

/** Date in the browser's locale and time zone. */
export function formatDate(timestamp: string, locale?: string, timeZone?: string): string {
  return format(new Date(timestamp), { dateStyle: 'medium', timeZone }, locale)
}

/** The ISO timestamps at which a day in the browser's time zone begins and ends. */
export function startOfLocalDay(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString()
}
export function endOfLocalDay(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString()
}
