// Runs before the first paint, so that a dark screen never flashes white and signed-in users see the bar at once. The
// choice is written by src/theme/theme.ts, the token by src/api/token.ts. Another site that shows
// the chat can choose in the address of its frame (src/embed-script.ts).
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('lyceum.theme')
    if (localStorage.getItem('lyceum.token') !== null) document.documentElement.dataset.signedIn = ''
  } catch {
    // Storage may be closed to the page; the system's preference then decides.
  }
  const isFrame = /^\/embed\/[^/]+\/?$/.test(location.pathname)
  const ofSite = isFrame ? new URLSearchParams(location.search).get('theme') : null
  if (ofSite === 'light' || ofSite === 'dark') choice = ofSite
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
