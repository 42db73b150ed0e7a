const reloadedAtKey = 'lyceum.reloaded-at'
const minReloadIntervalMs = 20_000

/**
 * After a release, the server may no longer have chunks that tabs opened before it still have to load. Opening another
 * page in such a tab then fails, and a reload fixes it. Reloads at most once per interval, so that a real error shows
 * the crash page instead of a loop.
 */
export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(reloadedAtKey) ?? 0)
    // Offline, a reload would only lose the current page.
    if (!navigator.onLine || Date.now() - last < minReloadIntervalMs) return
    event.preventDefault()
    sessionStorage.setItem(reloadedAtKey, String(Date.now()))
    location.reload()
  })
}
