import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { oidcClient } from './oidc-provider.ts'

type Claims = Record<string, unknown>

/** An issuer that sends whatever a test wants, with signatures that are right unless the test wants others. */
export interface ForgedIssuer {
  issuer: string
  /** What the token endpoint answers; for example a token of `sign`. */
  idToken: string
  /** Requests to the token endpoint, by code. */
  codes: string[]
  /** Replaces the answer to a path. */
  answer(path: string, handle: (request: IncomingMessage, response: ServerResponse) => void): void
  /** Changes the description of the issuer. */
  describe(changes: Claims): void
  /** Claims that are valid for the address to which the browser was sent. */
  claimsFor(url: string, changes?: Claims): Claims
  sign(claims: Claims, header?: { alg?: string; typ?: string; kid?: string }): Promise<string>
  /** Signs with a key that is not the issuer's. */
  signWithOtherKey(claims: Claims): Promise<string>
  signWithSecret(claims: Claims): Promise<string>
  leaveUnsigned(claims: Claims): string
  close(): Promise<void>
}

async function createKey() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk: JWK = { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid: 'right' }
  return { privateKey, jwk }
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

export async function startForgedIssuer(): Promise<ForgedIssuer> {
  const [key, otherKey] = [await createKey(), await createKey()]
  const answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>()
  const server = createServer((request, response) => {
    const handle = answers.get(new URL(request.url ?? '', 'http://issuer').pathname)
    if (handle) handle(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let description: Claims = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    authorization_response_iss_parameter_supported: true,
  }
  const forged: ForgedIssuer = {
    issuer,
    idToken: '',
    codes: [],
    answer: (path, handle) => void answers.set(path, handle),
    describe: (changes) => {
      description = { ...description, ...changes }
    },
    claimsFor(url, changes = {}) {
      const now = Math.floor(Date.now() / 1000)
      const nonce = new URL(url).searchParams.get('nonce')
      const times = { iat: now, exp: now + 300 }
      const profile = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' }
      return { iss: issuer, aud: oidcClient.clientId, nonce, ...times, ...profile, ...changes }
    },
    sign: (claims, header) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'right', ...header }).sign(key.privateKey),
    signWithOtherKey: (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'right' }).sign(otherKey.privateKey),
    signWithSecret: (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(oidcClient.clientSecret.padEnd(32, '-'))),
    leaveUnsigned: (claims) => new UnsecuredJWT(claims).encode(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  forged.answer('/.well-known/openid-configuration', (_request, response) => sendJson(response, description))
  forged.answer('/keys', (_request, response) => sendJson(response, { keys: [key.jwk] }))
  forged.answer('/token', (request, response) => {
    void readForm(request).then((form) => {
      const code = form.get('code') ?? ''
      const isReplayed = forged.codes.includes(code)
      forged.codes.push(code)
      const tokens = { access_token: 'access', token_type: 'Bearer', id_token: forged.idToken }
      if (isReplayed) sendJson(response, { error: 'invalid_grant' }, 400)
      else sendJson(response, tokens)
    })
  })
  return forged
}
