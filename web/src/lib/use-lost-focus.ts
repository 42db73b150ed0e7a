import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'

/** Calls `onLost` just before an element is removed that contains the focus. */
export function useLostFocus(
  ref: RefObject<HTMLElement | null>,
  onLost: (focused: Element, container: HTMLElement) => void,
): void {
  const handleLost = useEffectEvent(onLost)
  useLayoutEffect(() => {
    const container = ref.current
    return () => {
      const { activeElement } = document
      if (container !== null && activeElement !== null && container.contains(activeElement))
        handleLost(activeElement, container)
    }
  }, [ref])
}

/** For `useLostFocus` of a button that disappears when pressed: focuses the button after it. */
export function focusNextElement(_: Element, { nextElementSibling: next }: HTMLElement): void {
  if (next instanceof HTMLElement) next.focus()
}
