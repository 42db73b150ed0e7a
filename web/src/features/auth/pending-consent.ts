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

/** The channel and the site for which a pop-up of the chat on another site signs in; null in other windows. */
export function readPendingEmbed(): { channelId: string; site: URL } | null {
  const [, channelId, query] = /^\/embed\/([\w-]+)\/sign-in\?(.*)$/.exec(tabStore.read(key) ?? '') ?? []
  const site = new URLSearchParams(query).get('site')
  return channelId !== undefined && site !== null && URL.canParse(site)
    ? { channelId, site: new URL(site) }
    : null
}

/** Returns, once, the consent page to open after a sign-in; null if none was open. */
export function takePendingConsent(): string | null {
  const address = tabStore.read(key)
  clearPendingConsent()
  return address !== null && consentPage.test(address) ? address : null
}
