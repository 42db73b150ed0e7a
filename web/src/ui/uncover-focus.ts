import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

const gapPx = 8
/** A higher element is the page or a part of it rather than a control or a few of them. */
const maxHeightPx = 160

/** The focused control with those beside it, such as Discard beside Save. Undefined when the page has the focus. */
function measureFocused(focused: Element): DOMRect | undefined {
  const [control, group] = [focused, focused.parentElement].map((element) => element?.getBoundingClientRect())
  if (control === undefined || control.height > maxHeightPx) return undefined
  return group !== undefined && group.height <= maxHeightPx ? group : control
}

/** How far the page has to scroll so that the card does not cover the controls. */
function measureCover(card: DOMRect, controls: DOMRect): number {
  const isBeside = card.right <= controls.left || card.left >= controls.right
  const isApart = card.bottom <= controls.top || card.top >= controls.bottom
  return isBeside || isApart ? 0 : controls.bottom - card.top + gapPx
}

/** Scrolls the page when toasts or results at its bottom would cover the focused control. */
export function uncoverFocus(section: HTMLElement): void {
  const focused = document.activeElement
  if (focused === null || section.contains(focused)) return
  // Dialogs do not scroll with the page.
  if (focused.closest('[role="dialog"], [role="alertdialog"]') !== null) return
  const controls = measureFocused(focused)
  if (controls === undefined) return
  const covers = [...section.querySelectorAll('[data-card]')].map((card) =>
    measureCover(card.getBoundingClientRect(), controls),
  )
  const top = Math.max(0, ...covers)
  if (top > 0) scrollBy({ top })
}

/**
 * Does so when something is shown, and for each control that gets the focus while it is, such as the one that a dialog
 * returns it to. `shownId` is that of the newest toast or result; undefined when there is none.
 *
 * It waits until the click when something is pressed, because the click would miss a button that moves meanwhile.
 */
export function useUncoveredFocus(section: RefObject<HTMLElement | null>, shownId: number | undefined): void {
  const isPressed = useRef(false)
  const uncover = useEffectEvent(() => {
    if (!isPressed.current && shownId !== undefined && section.current !== null) uncoverFocus(section.current)
  })
  useEffect(() => {
    if (shownId !== undefined) uncover()
  }, [shownId])
  useEffect(() => {
    const listening = new AbortController()
    function listen(types: readonly string[], listener: () => void): void {
      for (const type of types)
        document.addEventListener(type, listener, { capture: true, signal: listening.signal })
    }
    listen(['pointerdown'], () => {
      isPressed.current = true
    })
    listen(['click', 'pointercancel', 'keydown'], () => {
      if (!isPressed.current) return
      isPressed.current = false
      // What the click does comes first: it may open a dialog.
      setTimeout(uncover, 0)
    })
    listen(['focusin'], () => uncover())
    return () => listening.abort()
  }, [])
}
