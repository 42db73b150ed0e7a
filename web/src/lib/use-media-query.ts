import { useCallback, useSyncExternalStore } from 'react'

/** Windows below `sm`. */
export const phoneQuery = '(max-width: 39.99rem)'

/** Whether a media query matches, now and after every change. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const mediaQuery = matchMedia(query)
      mediaQuery.addEventListener('change', onChange)
      return () => mediaQuery.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
