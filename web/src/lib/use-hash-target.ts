import { type RefObject, useEffect } from 'react'

/** Scrolls to an element and focuses it when the hash of the URL names it. It may load after the page. */
export function useHashTarget(id: string | undefined, target: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (id === undefined) return
    function reveal(): void {
      if (window.location.hash !== `#${id}`) return
      target.current?.scrollIntoView?.({ block: 'start' })
      target.current?.focus({ preventScroll: true })
    }
    reveal()
    // A link on the same page does not mount it again. The router dispatches this event.
    window.addEventListener('pushState', reveal)
    return () => window.removeEventListener('pushState', reveal)
  }, [id, target])
}
