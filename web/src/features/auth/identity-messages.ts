import * as z from 'zod/mini'

/** What the page inside a frame asks the page around it, and what it is told. Both are of this origin. */
const request = z.object({ type: z.literal('lyceum.identity-request') })
const answer = z.object({ type: z.literal('lyceum.identity'), email: z.string(), name: z.string() })

export interface Identity {
  email: string
  name: string
}

/** Who somebody is to others: their name, or without one what stands before the @ of their address. */
export function identityOf({ email, name }: { email: string; name?: string | undefined }): Identity {
  return {
    email,
    name: name?.trim() || (email.split('@')[0] ?? email),
  }
}

/** Answers frames that ask who is signed in; none of another origin. Returns how to stop. */
export function answerIdentityRequests(identity: Identity): () => void {
  function handle({ origin, data, source }: MessageEvent<unknown>): void {
    if (origin !== location.origin || !request.safeParse(data).success) return
    source?.postMessage({ type: 'lyceum.identity', ...identity }, { targetOrigin: location.origin })
  }
  addEventListener('message', handle)
  return () => removeEventListener('message', handle)
}

/** Asks the page around this one who is signed in; a page of another origin neither hears it nor is believed. */
export function askForIdentity(onAnswer: (identity: Identity) => void): () => void {
  function handle({ origin, data, source }: MessageEvent<unknown>): void {
    if (origin !== location.origin || source !== window.parent) return
    const told = answer.safeParse(data)
    if (told.success) onAnswer({ email: told.data.email, name: told.data.name })
  }
  addEventListener('message', handle)
  if (window.parent !== window)
    window.parent.postMessage({ type: 'lyceum.identity-request' }, location.origin)
  return () => removeEventListener('message', handle)
}
