import { type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react'

function getTop(element: Element): number {
  return element.getBoundingClientRect().top + scrollY
}

/**
 * A decision makes its row higher on phones, and shows a button above the list. Scrolls by as much, so that the pressed
 * button stays under the pointer. Returns the handler for clicks in the row.
 */
export function useSteadyPlace(row: RefObject<HTMLElement | null>, status: string) {
  const pressed = useRef<{ button: Element; top: number } | null>(null)
  const knownStatus = useRef(status)
  useLayoutEffect(() => {
    if (knownStatus.current === status) return
    knownStatus.current = status
    if (pressed.current === null || !pressed.current.button.isConnected) return
    const moved = getTop(pressed.current.button) - pressed.current.top
    if (moved !== 0) scrollBy({ top: moved, behavior: 'instant' })
  }, [status])
  return ({ target }: MouseEvent): void => {
    const button = target instanceof Element ? target.closest('button') : null
    // Clicks in dialogs of the row arrive here, too.
    if (button !== null && row.current?.contains(button)) pressed.current = { button, top: getTop(button) }
  }
}
