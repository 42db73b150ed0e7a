const gapPx = 8
/** A higher parent holds more than the controls beside the focused one. */
const maxGroupPx = 160

/** The focused control with those beside it, such as Discard beside Save. */
function measureFocused(focused: Element): DOMRect {
  const group = focused.parentElement?.getBoundingClientRect()
  return group !== undefined && group.height <= maxGroupPx ? group : focused.getBoundingClientRect()
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
  // Dialogs do not scroll with the page.
  if (focused === null || focused.closest('[role="dialog"], [role="alertdialog"]') !== null) return
  const controls = measureFocused(focused)
  const covers = [...section.querySelectorAll('[data-card]')].map((card) =>
    measureCover(card.getBoundingClientRect(), controls),
  )
  const top = Math.max(0, ...covers)
  if (top > 0) scrollBy({ top })
}
