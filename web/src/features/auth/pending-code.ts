import { authApi, codeDelivery } from '@lyceum/contract/auth'
import * as z from 'zod/mini'
import { ApiError } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { tabStore } from '#lib/storage.ts'

// Session storage, because a phone may discard the tab while the user reads the email with the code.
const key = 'lyceum.pending-code'

const door = z.enum(['user', 'admin'])
export type Door = z.output<typeof door>

const pendingCode = z.object({
  email: z.string(),
  /** The sign-in page to return to. */
  door,
  delivery: codeDelivery,
  /** Epoch milliseconds from which another code can be requested. */
  resendAt: z.number(),
})

/** A sign-in whose password was accepted and that still needs a code. */
export type PendingCode = z.output<typeof pendingCode>

export function readPendingCode(): PendingCode | null {
  const text = tabStore.read(key)
  if (text === null) return null
  try {
    return pendingCode.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

export function storePendingCode(pending: PendingCode): void {
  tabStore.write(key, JSON.stringify(pending))
}

export function clearPendingCode(): void {
  tabStore.remove(key)
}

/** Requests another code and updates `resendAt`. Most refusals also say how long to wait. */
export async function requestNewCode(
  pending: PendingCode,
  now: () => Date,
): Promise<{ pending: PendingCode; refusal: unknown }> {
  function resendIn(seconds: number) {
    return { resendAt: now().getTime() + seconds * 1000 }
  }
  try {
    const { delivery, resendAfter } = await call(authApi.resendCode, { body: { email: pending.email } })
    return { pending: { ...pending, delivery, ...resendIn(resendAfter) }, refusal: null }
  } catch (refusal) {
    const wait = refusal instanceof ApiError ? refusal.retryAfter : null
    return { pending: wait === null ? pending : { ...pending, ...resendIn(wait) }, refusal }
  }
}
