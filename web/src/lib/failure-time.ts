import { formatShortDateTime } from './date-time.ts'

/** What is wrong with a server, with the time of its last failure if it is known. */
export function withFailureTime({
  words,
  failedAt,
}: {
  words: string
  failedAt?: string | undefined
}): string {
  return failedAt === undefined
    ? words
    : `${words} Last failure: ${formatShortDateTime(failedAt, new Date())}.`
}
