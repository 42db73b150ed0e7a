// Runs while the code of the page still loads, when a slow phone only waits for the network.

// Requests the messages of a chat, which the code would otherwise do half a second later.
// src/api/early-response.ts passes the response to the call that needs it.
;(() => {
  // The application runs already and has sent the request itself.
  if (globalThis.earlyRequest === null) return
  const channelId = /^\/channels\/([^/]+)$/.exec(location.pathname)?.[1]
  const chatId = new URLSearchParams(location.search).get('chat')
  let token = null
  try {
    token = localStorage.getItem('lyceum.token')
  } catch {
    // Storage may be closed to the page; then nobody is signed in.
  }
  if (channelId === undefined || chatId === null || token === null) return
  // The same address and headers as in src/features/chats/queries.ts and src/api/request.ts.
  const url = `/api/chat/${channelId}/chats/${encodeURIComponent(chatId)}?limit=60`
  const headers = {
    'ngrok-skip-browser-warning': 'true',
    Authorization: `Bearer ${token}`,
    Accept: 'application/json',
  }
  const response = fetch(url, { headers })
  // The call that takes the response reports a failure.
  response.catch(() => undefined)
  globalThis.earlyRequest = { url, token, response, sentAt: performance.now() }
})()

// Another thread meanwhile reads what rendering dates needs.
new Worker('/read-locale.js')
