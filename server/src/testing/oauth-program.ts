import { createHash, randomBytes } from 'node:crypto'
import { connectedProgramsApi, oauthApi } from '@lyceum/contract/connected-programs'
import type { TestUser } from './factories.ts'
import type { TestApp, TestResponse } from './test-app.ts'

export const redirectUri = 'http://127.0.0.1:4567/callback'

export interface Tokens {
  access_token: string
  refresh_token: string
  expires_in: number
  scope: string
}

export interface OauthError {
  error?: string
  error_description?: string
}

/** A program that connects as RFC 6749 and its companions say, and can break each rule. */
export function createOauthProgram(app: TestApp) {
  const verifier = randomBytes(32).toString('base64url')

  function buildQuery(clientId: string, changes: Record<string, string | undefined> = {}): string {
    const all = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'a state',
      resource: `${app.deps.env.PUBLIC_URL}/mcp`,
      ...changes,
    }
    return new URLSearchParams(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ).toString()
  }

  function send(path: string, fields: Record<string, string>): Promise<TestResponse<Tokens & OauthError>> {
    return app.raw({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    }) as Promise<TestResponse<Tokens & OauthError>>
  }

  const program = {
    verifier,
    buildQuery,
    async register(changes: object = {}): Promise<string> {
      const body = { client_name: 'Agent', redirect_uris: [redirectUri], ...changes }
      return (await app.call(oauthApi.register, { body })).body.client_id
    },
    /** What the user allows. Returns the address that the browser is sent to. */
    async allow(as: TestUser, query: string, channelIds: string[] | null = null): Promise<URL> {
      const body = { query, allowed: { channelIds, expiresInDays: 90 as const } }
      return new URL((await app.call(connectedProgramsApi.decide, { as, body })).body.url)
    },
    async getCode(as: TestUser, clientId: string, changes: Record<string, string> = {}): Promise<string> {
      const url = await program.allow(as, buildQuery(clientId, changes))
      return url.searchParams.get('code') ?? ''
    },
    exchange(clientId: string, code: string, changes: Record<string, string> = {}) {
      return send('/api/oauth/token', {
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...changes,
      })
    },
    refresh(clientId: string, refreshToken: string, changes: Record<string, string> = {}) {
      return send('/api/oauth/token', {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: refreshToken,
        ...changes,
      })
    },
    revoke: (clientId: string, token: string) => send('/api/oauth/revoke', { client_id: clientId, token }),
    /** Registers, is allowed and receives tokens. */
    async connect(as: TestUser, changes: Record<string, string> = {}) {
      const clientId = await program.register()
      const { body } = await program.exchange(clientId, await program.getCode(as, clientId, changes))
      return { clientId, ...body }
    },
    /** Calls a method at `/mcp` with a token. */
    callMcp(token: string, method = 'tools/list', params: object = {}) {
      return app.raw({
        method: 'POST',
        path: '/mcp',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
    },
  }
  return program
}
