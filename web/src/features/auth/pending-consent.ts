import { tabStore } from '#lib/storage.ts'

// Session storage, because the sign-in may lead to an issuer and back.
const key = 'lyceum.pending-consent'

/** The pages that ask for consent. A sign-in leads back to these and nowhere else. */
const consentPage = /^\/(?:connect|embed\/[\w-]+\/sign-in)\?/

/** Remembers the path and query of the open consent page, so that a sign-in leads back to it. */
export function storePendingConsent(address: string): void {
  tabStore.write(key, address)
}

export function clearPendingConsent(): void {
  tabStore.remove(key)
}

/** Returns, once, the consent page to open after a sign-in; null if none was open. */
export function takePendingConsent(): string | null {
  const address = tabStore.read(key)
  clearPendingConsent()
  return address !== null && consentPage.test(address) ? address : null
}
