import { formatDateTime, formatShortDateTime } from '#lib/date-time.ts'

/** A date and time on one line. Below `lg` it is shorter, and its title has the full form. */
export function Timestamp({ at }: { at: string }) {
  const full = formatDateTime(at)
  return (
    <time dateTime={at} title={full} className="whitespace-nowrap">
      <span className="max-lg:hidden">{full}</span>
      <span className="lg:hidden">{formatShortDateTime(at, new Date())}</span>
    </time>
  )
}
