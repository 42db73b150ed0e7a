import { authApi, codeDelivery } from '@lyceum/contract/auth'
import * as z from 'zod/mini'
import { ApiError } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { tabStore } from '#lib/storage.ts'

/** In the session storage: a phone may drop the tab while its person reads the mail with the code. */
const key = 'lyceum.pending-code'

const door = z.enum(['user', 'admin'])
export type Door = z.output<typeof door>

const pendingCode = z.object({
  email: z.string(),
  /** Which sign-in it was, to lead back to it. */
  door,
  delivery: codeDelivery,
  /** In milliseconds of the epoch: from then on another code may be asked for. */
  resendAt: z.number(),
})

/** A sign-in between its password and its code. */
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

/** Has another code sent. When the next one may be asked for is known afterwards, also from most refusals. */
export async function askForAnotherCode(
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
