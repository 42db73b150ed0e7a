import { type EmbeddedSignIn, embeddedSignIn } from '@lyceum/contract/embedding'
import * as z from 'zod/mini'

const message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('lyceum.embedded-sign-in'), signIn: embeddedSignIn }),
  z.object({ type: z.literal('lyceum.embedded-sign-in-cancelled') }),
])

/** Opens the page that signs in to the chat on another site. Returns null if the browser blocks it. */
export function openSignInPopup(channelId: string, site: string): Window | null {
  const path = `/embed/${encodeURIComponent(channelId)}/sign-in?site=${encodeURIComponent(site)}`
  return window.open(path, `lyceum-sign-in-${channelId}`, 'popup,width=480,height=720')
}

/** Waits for what the popup sends: the sign-in, or null if its user cancels. Returns a function to stop. */
export function onSignInFromPopup(
  popup: Window,
  listener: (signIn: EmbeddedSignIn | null) => void,
): () => void {
  function handle({ origin, source, data }: MessageEvent<unknown>): void {
    if (origin !== location.origin || source !== popup) return
    const parsed = message.safeParse(data)
    if (parsed.success) listener('signIn' in parsed.data ? parsed.data.signIn : null)
  }
  addEventListener('message', handle)
  return () => removeEventListener('message', handle)
}

/** Whether the chat that opened this popup is still there to receive a sign-in. */
export function canHandOverSignIn(): boolean {
  const opener: unknown = window.opener
  return opener !== null && opener !== undefined && !(opener as Window).closed
}

/** Sends the sign-in to the chat that opened this popup. A page of another origin that opened it receives nothing. */
export function handOverSignIn(signIn: EmbeddedSignIn): void {
  const opener = window.opener as Window
  opener.postMessage({ type: 'lyceum.embedded-sign-in', signIn }, location.origin)
}

/** Tells the chat that opened this popup, if it is still there, that its user cancels. */
export function cancelHandOver(): void {
  if (!canHandOverSignIn()) return
  const opener = window.opener as Window
  opener.postMessage({ type: 'lyceum.embedded-sign-in-cancelled' }, location.origin)
}
