import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { type Configuration, Provider } from 'oidc-provider'

export const oidcClient = { clientId: 'lyceum', clientSecret: 'a-secret-of-the-client' }

interface ProviderOptions {
  redirectUri: string
  /** Where the provider reports that a user signed out. */
  logoutUri?: string
}

/** The claims of each account, by login. */
type ProviderAccounts = Map<string, Record<string, unknown>>

export interface TestProvider {
  issuer: string
  /** Tests change it. */
  accounts: ProviderAccounts
  /** Replaces the signing keys, as a provider does from time to time. Its sessions end. */
  rotateKeys(): Promise<void>
  close(): Promise<void>
}

async function createSigningKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: crypto.randomUUID() }
}

/** The provider warns that its pages and its memory are for development only, which is what tests need. */
function createQuietly<T>(create: () => T): T {
  const { warn } = console
  console.warn = () => undefined
  try {
    return create()
  } finally {
    console.warn = warn
  }
}

async function createProvider(
  issuer: string,
  { redirectUri, logoutUri }: ProviderOptions,
  accounts: ProviderAccounts,
): Promise<RequestListener> {
  const configuration: Configuration = {
    clients: [
      {
        client_id: oidcClient.clientId,
        client_secret: oidcClient.clientSecret,
        redirect_uris: [redirectUri],
        ...(logoutUri === undefined
          ? {}
          : { backchannel_logout_uri: logoutUri, backchannel_logout_session_required: true }),
      },
    ],
    jwks: { keys: [await createSigningKey()] },
    cookies: { keys: ['a key for the cookies of the tests'] },
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { backchannelLogout: { enabled: true } },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    // The provider would refuse to report a sign-out to an address of this machine.
    fetch(url, options) {
      const { dispatcher: _, ...rest } = options as Record<string, unknown>
      return fetch(url, rest)
    },
    findAccount: (_context, id) => {
      const claims = accounts.get(id)
      return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) }
    },
  }
  return createQuietly(() => new Provider(issuer, configuration)).callback()
}

/** Starts a certified OpenID provider on this machine. */
export async function startOidcProvider(options: ProviderOptions): Promise<TestProvider> {
  const accounts: ProviderAccounts = new Map()
  let handle: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  async function rotateKeys(): Promise<void> {
    handle = await createProvider(issuer, options, accounts)
  }
  await rotateKeys()
  return {
    issuer,
    accounts,
    rotateKeys,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
