import { type RefObject, useEffect } from 'react'

const properties = ['--toast-lift', '--toast-left', '--toast-right'] as const

/** Shows toasts and results above an element at the bottom of the window, and centers them within its width. */
export function useToastLift(lifter: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = lifter.current
    if (element === null) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      const { left, right, height } = element.getBoundingClientRect()
      style.setProperty('--toast-lift', `${height}px`)
      style.setProperty('--toast-left', `${left}px`)
      style.setProperty('--toast-right', `${innerWidth - right}px`)
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      for (const property of properties) style.removeProperty(property)
    }
  }, [lifter])
}
