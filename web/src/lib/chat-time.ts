const hourMs = 60 * 60 * 1000
const dayHours = 24
const weekHours = 168

const ageInHours = (time: Date, now: Date): number => (now.getTime() - time.getTime()) / hourMs

const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }
const date: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' }

/** When a chat began, as short as its age allows: the time of day, the weekday, the date. */
export const chatTime = (time: Date, now: Date, locale?: string): string => {
  const age = ageInHours(time, now)
  if (age < dayHours) return time.toLocaleTimeString(locale, clock)
  if (age < weekHours) return time.toLocaleDateString(locale, { weekday: 'short' })
  return time.toLocaleDateString(locale, date)
}

/** When a message was written: the time of day, and the date with it once it is older than a day. */
export const messageTime = (time: Date, now: Date, locale?: string): string =>
  time.toLocaleString(locale, ageInHours(time, now) < dayHours ? clock : { ...date, ...clock })
