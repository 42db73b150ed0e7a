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
