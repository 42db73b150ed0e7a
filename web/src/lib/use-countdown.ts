import { useEffect, useState } from 'react'

function secondsUntil(moment: number): number {
  return Math.max(0, Math.ceil((moment - Date.now()) / 1000))
}

/** The whole seconds that are left until a moment (in milliseconds of the epoch), counted down to 0. */
export function useCountdown(moment: number): number {
  const [left, setLeft] = useState(() => secondsUntil(moment))
  useEffect(() => {
    function look(): void {
      const next = secondsUntil(moment)
      setLeft(next)
      if (next === 0) clearInterval(timer)
    }
    const timer = setInterval(look, 1000)
    look()
    return () => clearInterval(timer)
  }, [moment])
  return left
}
