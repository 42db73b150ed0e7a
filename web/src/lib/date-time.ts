/** A moment as people read it, in their own zone and manner. */
export const dateTime = (instant: string, locale?: string, timeZone?: string): string =>
  new Date(instant).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
