import { useCallback, useState, useSyncExternalStore } from 'react'

/** Whether the window matches, kept up to date. */
function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

/** The width from which the sidebar stands beside the chat. */
const wide = '(min-width: 768px)'

/** Whether the sidebar is open: beside the chat from the start, over it only when asked for. */
export function useSidebar() {
  const isWide = useMediaQuery(wide)
  const [choice, setChoice] = useState({ isWide, isOpen: isWide })
  // A choice made at one width says nothing about the other.
  const isOpen = choice.isWide === isWide ? choice.isOpen : isWide
  const close = useCallback(() => setChoice({ isWide, isOpen: false }), [isWide])
  return {
    isWide,
    isOpen,
    toggle: (): void => setChoice({ isWide, isOpen: !isOpen }),
    /** After a selection: the drawer gives way, the column stays. */
    settle: (): void => setChoice({ isWide, isOpen: isWide && isOpen }),
    close,
  }
}
