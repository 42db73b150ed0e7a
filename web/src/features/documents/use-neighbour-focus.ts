import { type RefObject, useLayoutEffect, useRef } from 'react'

const toggle = 'button[aria-expanded]'

/** A row that is taken away hands the focus on to the one beside it, or to what the list stands in. */
export const useNeighbourFocus = (row: RefObject<HTMLElement | null>, isGoing: boolean): void => {
  const going = useRef(isGoing)
  going.current = isGoing
  useLayoutEffect(() => {
    const element = row.current
    return () => {
      if (!going.current || element === null) return
      const beside = element.nextElementSibling ?? element.previousElementSibling
      const next =
        beside?.querySelector<HTMLElement>(toggle) ?? element.closest<HTMLElement>('[tabindex="-1"]')
      // The window that asked gives the focus back first, to a button that is gone.
      setTimeout(() => next?.focus(), 0)
    }
  }, [row])
}
