import { useCallback, useState } from 'react'
import { useMediaQuery } from '#lib/use-media-query.ts'

/** In windows at least this wide, the sidebar is a column beside the chat; in narrower ones, a drawer over it. */
const wideQuery = '(min-width: 768px)'

/** Initially, the column is open and the drawer is closed. */
export function useSidebar() {
  const isWide = useMediaQuery(wideQuery)
  const [choice, setChoice] = useState({ isWide, isOpen: isWide })
  // A choice made for the column does not apply to the drawer, and vice versa.
  const isOpen = choice.isWide === isWide ? choice.isOpen : isWide
  const close = useCallback(() => setChoice({ isWide, isOpen: false }), [isWide])
  return {
    isWide,
    isOpen,
    toggle: (): void => setChoice({ isWide, isOpen: !isOpen }),
    /** Call after a selection: closes the drawer, keeps the column. */
    closeDrawer: (): void => setChoice({ isWide, isOpen: isWide && isOpen }),
    close,
  }
}
