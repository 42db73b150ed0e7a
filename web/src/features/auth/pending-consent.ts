import { tabStore } from '#lib/storage.ts'

// Session storage, because the sign-in may lead to an issuer and back.
const key = 'lyceum.pending-consent'

/** Remembers with which query the consent page was opened, so that a sign-in leads back to it. */
export function storePendingConsent(query: string): void {
  tabStore.write(key, query)
}

export function clearPendingConsent(): void {
  tabStore.remove(key)
}

/** Returns where to go after a sign-in, once: to the consent page and nowhere else; null if it was not open. */
export function takePendingConsent(): string | null {
  const query = tabStore.read(key)
  clearPendingConsent()
  return query === null ? null : `/connect?${query}`
}
