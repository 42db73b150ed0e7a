import { useEffect, useState } from 'react'

const secondsUntil = (moment: number): number => Math.max(0, Math.ceil((moment - Date.now()) / 1000))

/** The whole seconds that are left until a moment (in milliseconds of the epoch), counted down to 0. */
export const useCountdown = (moment: number): number => {
  const [left, setLeft] = useState(() => secondsUntil(moment))
  useEffect(() => {
    const look = (): void => {
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
