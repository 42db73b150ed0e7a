const reloadedAtKey = 'lyceum.reloaded-at'
const shortestPauseMs = 20_000

/**
 * After a release the files of an open page may be gone from the server: fetching the next screen fails, and a fresh
 * page is the cure. Not twice in a row, so that a real fault ends on the crash page instead of in a loop.
 */
export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(reloadedAtKey) ?? 0)
    // Without a line there is no fresh page either, only the loss of what is on this one.
    if (!navigator.onLine || Date.now() - last < shortestPauseMs) return
    event.preventDefault()
    sessionStorage.setItem(reloadedAtKey, String(Date.now()))
    location.reload()
  })
}
