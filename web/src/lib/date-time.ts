/** A moment as people read it, in their own zone and manner. */
export function dateTime(instant: string, locale?: string, timeZone?: string): string {
  return new Date(instant).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
}

/** The instants at which a day of the viewer's calendar begins and ends. */
export function startOfDay(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString()
}
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString()
}
