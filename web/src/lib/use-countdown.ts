import { useEffect, useState } from 'react'

function secondsUntil(timeMs: number): number {
  return Math.max(0, Math.ceil((timeMs - Date.now()) / 1000))
}

/** The whole seconds left until a time in epoch milliseconds, counted down to 0. */
export function useCountdown(timeMs: number): number {
  const [left, setLeft] = useState(() => secondsUntil(timeMs))
  useEffect(() => {
    function update(): void {
      const next = secondsUntil(timeMs)
      setLeft(next)
      if (next === 0) clearInterval(timer)
    }
    const timer = setInterval(update, 1000)
    update()
    return () => clearInterval(timer)
  }, [timeMs])
  return left
}
