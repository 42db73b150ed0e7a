import { useEffect } from 'react'

/**
 * Keeps the field above a phone's keyboard where the browser lays it over the page instead of making room for it:
 * what the keyboard covers is taken off the height of the screen (`--keyboard`).
 */
export const useKeyboardRoom = (): void =>
  useEffect(() => {
    const seen = window.visualViewport
    if (!seen) return
    const { style } = document.documentElement
    const measure = (): void => {
      // Whoever zooms in sees a part of the page, and no keyboard covers the rest.
      const covered = seen.scale > 1.01 ? 0 : Math.max(0, Math.round(innerHeight - seen.height))
      style.setProperty('--keyboard', `${covered}px`)
      // The page itself has moved to show the field; its place is the top again.
      if (covered > 0) scrollTo(0, 0)
    }
    seen.addEventListener('resize', measure)
    return () => {
      seen.removeEventListener('resize', measure)
      style.removeProperty('--keyboard')
    }
  }, [])
