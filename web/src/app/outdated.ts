const reloadedAtKey = 'lyceum.reloaded-at'
const shortestPauseMs = 20_000

/**
 * After a release, the chunks of an open page may be gone from the server. Loading the next page then fails, and a
 * reload helps. It reloads only once, so that a real fault ends on the crash page instead of in a loop.
 */
export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(reloadedAtKey) ?? 0)
    // Offline, a reload would only lose the present page.
    if (!navigator.onLine || Date.now() - last < shortestPauseMs) return
    event.preventDefault()
    sessionStorage.setItem(reloadedAtKey, String(Date.now()))
    location.reload()
  })
}
