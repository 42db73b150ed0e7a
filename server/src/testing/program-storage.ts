import type { OAuthClientProvider } from '@modelcontextprotocol/client'

/** What a program with the protocol's own client stores. `asked` is the address at which it wants the consent of its user. */
export function createProgramStorage(redirectUri: string) {
  const stored: Record<string, unknown> = {}
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: {
      client_name: 'Agent of the tests',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'state-of-the-program',
    clientInformation: () => stored['client'] as never,
    saveClientInformation: (client) => {
      stored['client'] = client
    },
    tokens: () => stored['tokens'] as never,
    saveTokens: (tokens) => {
      stored['tokens'] = tokens
    },
    redirectToAuthorization: (url) => {
      stored['asked'] = url
    },
    saveCodeVerifier: (verifier) => {
      stored['verifier'] = verifier
    },
    saveDiscoveryState: (state) => {
      stored['discovery'] = state
    },
    discoveryState: () => stored['discovery'] as never,
    codeVerifier: () => String(stored['verifier']),
    invalidateCredentials: (scope) => {
      if (scope === 'tokens' || scope === 'all') stored['tokens'] = undefined
    },
  }
  return { stored, provider }
}
