/**
 * The origin of the page that shows the frame: from the browser, or else from the address that the script has set, or
 * else from the referrer, because the address in a plain iframe has none.
 */
export function findSite(query: URLSearchParams): string {
  const origins: DOMStringList | undefined = location.ancestorOrigins
  const referrer = URL.canParse(document.referrer) ? new URL(document.referrer).origin : ''
  return origins?.[0] ?? query.get('site') ?? referrer
}

/** Calls the listener when the script on the page opens the panel again. Returns a function to stop. */
export function onPanelOpened(site: string, listener: () => void): () => void {
  function handle({ origin, source, data }: MessageEvent<{ type?: unknown } | null>): void {
    if (source === window.parent && origin === site && data?.type === 'lyceum.open') listener()
  }
  addEventListener('message', handle)
  return () => removeEventListener('message', handle)
}

/** Tells the script on the page (embed-script.ts) that the chat is shown, or that the user wants to close it. */
export function notifyHostPage(site: string, type: 'lyceum.ready' | 'lyceum.close'): void {
  if (window.parent !== window && URL.canParse(site)) window.parent.postMessage({ type }, site)
}
