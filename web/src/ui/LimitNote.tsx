import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '#api/api-error.ts'
import { formatCount } from '#lib/format-count.ts'
import { useCountdown } from '#lib/use-countdown.ts'
import { Banner } from './Banner.tsx'

/** Where the server did not say how long. */
const defaultWait = 10

/** The refusal of somebody who asks faster than one may. */
export function limitOf(error: Error | null): ApiError | null {
  return error instanceof ApiError && error.status === 429 ? error : null
}

interface Props {
  limit: ApiError
  /** It may be asked again. */
  onOver: () => void
}

/** Says that a list waits because many were asked for, and asks again when it may. Gets a key for each refusal. */
export function LimitNote({ limit, onOver }: Props) {
  const [until] = useState(() => Date.now() + (limit.retryAfter ?? defaultWait) * 1000)
  const left = useCountdown(until)
  const isOver = left === 0
  const goOn = useEffectEvent(onOver)
  useEffect(() => {
    if (isOver) goOn()
  }, [isOver])
  return (
    <Banner tone="warning">
      That was a lot in a short time. What you asked for appears by itself
      {/* Not read out every second. */}
      <span className="sr-only"> in a moment.</span>
      <span aria-hidden="true" className="tabular-nums">
        {isOver ? ' now.' : ` in ${formatCount(left, 'second')}.`}
      </span>
    </Banner>
  )
}
