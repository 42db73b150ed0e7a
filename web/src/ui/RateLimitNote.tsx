import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '#api/api-error.ts'
import { formatCount } from '#lib/format-count.ts'
import { useCountdown } from '#lib/use-countdown.ts'
import { Banner } from './Banner.tsx'

/** Seconds to wait when the server sends no Retry-After. */
const defaultWait = 10

/** Returns the error if it is a rate-limit refusal (429). */
export function findRateLimit(error: Error | null): ApiError | null {
  return error instanceof ApiError && error.status === 429 ? error : null
}

interface Props {
  limit: ApiError
  onExpire: () => void
}

/** Counts down a rate limit, then calls `onExpire`. Needs a new `key` for each refusal. */
export function RateLimitNote({ limit, onExpire }: Props) {
  const [until] = useState(() => Date.now() + (limit.retryAfter ?? defaultWait) * 1000)
  const secondsLeft = useCountdown(until)
  const isExpired = secondsLeft === 0
  const retry = useEffectEvent(onExpire)
  useEffect(() => {
    if (isExpired) retry()
  }, [isExpired])
  return (
    <Banner tone="warning">
      Too many requests. This will load
      {/* The countdown is hidden, so that screen readers do not announce every second. */}
      <span className="sr-only"> in a moment.</span>
      <span aria-hidden="true" className="tabular-nums">
        {isExpired ? ' now.' : ` in ${formatCount(secondsLeft, 'second')}.`}
      </span>
    </Banner>
  )
}
