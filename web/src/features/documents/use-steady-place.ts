import { type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react'

function findTop(row: HTMLElement | null): number | null {
  const button = row?.querySelector('[data-approve]')
  return button ? button.getBoundingClientRect().top + scrollY : null
}

/** Browsers scroll by themselves when content above grows, except at the start of the page. We would add to that. */
function useNoScrollAnchoring(isActive: boolean): void {
  useLayoutEffect(() => {
    if (!isActive) return
    const { style } = document.documentElement
    style.overflowAnchor = 'none'
    return () => {
      // The browser would catch up in the next frame.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          style.overflowAnchor = ''
        }),
      )
    }
  }, [isActive])
}

/**
 * On phones, an approval makes its row higher and shows a button above the list. Scrolls by as much, so that the pressed
 * button stays under the finger. Returns the handler for clicks in the row.
 */
export function useSteadyPlace(row: RefObject<HTMLElement | null>, status: string, isApproving: boolean) {
  const pressedTop = useRef<number | null>(null)
  const knownStatus = useRef(status)
  useNoScrollAnchoring(isApproving)
  useLayoutEffect(() => {
    if (knownStatus.current === status) return
    knownStatus.current = status
    const top = findTop(row.current)
    if (top === null || pressedTop.current === null) return
    const moved = top - pressedTop.current
    pressedTop.current = null
    if (moved !== 0) scrollBy({ top: moved, behavior: 'instant' })
  }, [row, status])
  return ({ target }: MouseEvent): void => {
    const isApproval = target instanceof Element && target.closest('[data-approve]') !== null
    pressedTop.current = isApproval ? findTop(row.current) : null
  }
}
