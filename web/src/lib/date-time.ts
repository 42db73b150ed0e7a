/** Date and time in the browser's locale and time zone. */
export function formatDateTime(timestamp: string, locale?: string, timeZone?: string): string {
  return new Date(timestamp).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
}

/** Date in the browser's locale and time zone. */
export function formatDate(timestamp: string, locale?: string, timeZone?: string): string {
  return new Date(timestamp).toLocaleDateString(locale, { dateStyle: 'medium', timeZone })
}

/** The ISO timestamps at which a day in the browser's time zone begins and ends. */
export function startOfLocalDay(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString()
}
export function endOfLocalDay(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString()
}
