import { type RefObject, useEffect } from 'react'

/** Moves toasts and results above an element at the bottom of the window, however high it is. */
export function useToastLift(lifter: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = lifter.current
    if (element === null) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--toast-lift', `${element.offsetHeight}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('--toast-lift')
    }
  }, [lifter])
}

/** Shows toasts at the top on narrow screens, where they would cover the buttons of the last reply. */
export function useToastsAtTop(): void {
  useEffect(() => {
    const { dataset } = document.documentElement
    dataset['toasts'] = 'top'
    return () => {
      delete dataset['toasts']
    }
  }, [])
}
