import { type EmbeddedSignIn, embeddedSignIn } from '@lyceum/contract/embedding'
import * as z from 'zod/mini'

const message = z.object({ type: z.literal('lyceum.embedded-sign-in'), signIn: embeddedSignIn })

/** Opens the page that signs in to the chat on another site. Returns null if the browser blocks it. */
export function openSignInPopup(channelId: string, site: string): Window | null {
  const path = `/embed/${encodeURIComponent(channelId)}/sign-in?site=${encodeURIComponent(site)}`
  return window.open(path, `lyceum-sign-in-${channelId}`, 'popup,width=480,height=720')
}

/** Waits for the sign-in that the popup sends. Returns a function to stop. */
export function onSignInFromPopup(popup: Window, listener: (signIn: EmbeddedSignIn) => void): () => void {
  function handle({ origin, source, data }: MessageEvent<unknown>): void {
    if (origin !== location.origin || source !== popup) return
    const parsed = message.safeParse(data)
    if (parsed.success) listener(parsed.data.signIn)
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
