/** A moment as people read it, in their own zone and manner. */
export const dateTime = (instant: string, locale?: string, timeZone?: string): string =>
  new Date(instant).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })

/** The instants at which a day of the viewer's calendar begins and ends. */
export const startOfDay = (day: string): string => new Date(`${day}T00:00:00`).toISOString()
export const endOfDay = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString()
