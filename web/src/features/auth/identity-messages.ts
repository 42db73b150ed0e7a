import * as z from 'zod/mini'

// Messages between the embedded chat page and the page that frames it, both of this origin.
const identityRequest = z.object({ type: z.literal('lyceum.identity-request') })
const identityMessage = z.object({ type: z.literal('lyceum.identity'), email: z.string(), name: z.string() })

export interface Identity {
  email: string
  name: string
}

/** Falls back to the part of the email address before the @ when the user has no name. */
export function toIdentity({ email, name }: { email: string; name?: string | undefined }): Identity {
  return {
    email,
    name: name?.trim() || (email.split('@')[0] ?? email),
  }
}

/** Tells frames of this origin who is signed in when they ask. Returns a function that stops answering. */
export function answerIdentityRequests(identity: Identity): () => void {
  function handle({ origin, data, source }: MessageEvent<unknown>): void {
    if (origin !== location.origin || !identityRequest.safeParse(data).success) return
    source?.postMessage({ type: 'lyceum.identity', ...identity }, { targetOrigin: location.origin })
  }
  addEventListener('message', handle)
  return () => removeEventListener('message', handle)
}

/** Asks the parent page who is signed in. Ignores parents of another origin. Returns a function that stops listening. */
export function requestIdentity(onIdentity: (identity: Identity) => void): () => void {
  function handle({ origin, data, source }: MessageEvent<unknown>): void {
    if (origin !== location.origin || source !== window.parent) return
    const message = identityMessage.safeParse(data)
    if (message.success) onIdentity({ email: message.data.email, name: message.data.name })
  }
  addEventListener('message', handle)
  if (window.parent !== window)
    window.parent.postMessage({ type: 'lyceum.identity-request' }, location.origin)
  return () => removeEventListener('message', handle)
}
