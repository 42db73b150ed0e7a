/** A list that takes longer to load leaves the focus at the top of the page. */
const waitMs = 10_000

function findLink(main: HTMLElement, pathname: string): HTMLElement | undefined {
  // Navigation leads everywhere, so it does not show where the user was on the page.
  const links = main.querySelectorAll<HTMLAnchorElement>('a[href]:not(nav a, aside a)')
  return [...links].find((link) => link.pathname === pathname && link.origin === location.origin)
}

/**
 * Focuses the link to the page that the user has just left with Back, such as the row of a list. Waits for the list,
 * unless the user or the page moves the focus. Returns a function that ends the wait.
 */
export function focusLeftLink(main: HTMLElement, leftPathname: string): () => void {
  function attempt(): void {
    const { activeElement } = document
    const hasMoved = activeElement !== main && activeElement !== document.body
    const link = hasMoved ? undefined : findLink(main, leftPathname)
    if (link === undefined && !hasMoved) return
    stop()
    link?.focus()
  }
  const observer = new MutationObserver(attempt)
  const timer = setTimeout(stop, waitMs)
  function stop(): void {
    observer.disconnect()
    clearTimeout(timer)
    main.removeEventListener('pointerdown', stop)
    main.removeEventListener('wheel', stop)
  }
  observer.observe(main, { childList: true, subtree: true })
  // The user is already reading.
  main.addEventListener('pointerdown', stop)
  main.addEventListener('wheel', stop, { passive: true })
  attempt()
  return stop
}
