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
    // A link on the same page does not mount it again. The router dispatches these events, the second one when the link
    // leads to the current URL.
    window.addEventListener('pushState', reveal)
    window.addEventListener('replaceState', reveal)
    return () => {
      window.removeEventListener('pushState', reveal)
      window.removeEventListener('replaceState', reveal)
    }
  }, [id, target])
}
