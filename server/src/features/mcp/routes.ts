import type { ApiKeyScope } from '@lyceum/contract/api-keys'
import * as z from 'zod'
import type { KeyCall, KeyRoutes } from '#http/key-routes.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { KeyAccess } from '../api-keys/authenticate-key.ts'

const path = '/mcp'

const toolCall = z.object({
  method: z.literal('tools/call'),
  params: z.object({ name: z.string() }),
})

function readHeaders(headers: KeyCall<KeyAccess>['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
}

/** The protocol demands this check: a page that has made its host name point here must not get an answer. */
function requireKnownOrigin({ PUBLIC_URL, CORS_ORIGINS }: Deps['env'], origin: unknown): void {
  if (origin === undefined || origin === new URL(PUBLIC_URL).origin) return
  if (!(CORS_ORIGINS as readonly unknown[]).includes(origin)) throw new AppError('origin.not_allowed')
}

const scopeByTool = new Map<string, ApiKeyScope>([
  ['search', 'documents'],
  ['list_documents', 'documents'],
  ['read', 'documents'],
  ['answer', 'chat'],
])

/** The scope that a request needs and its program does not have. Agents can ask their user for it. */
function findMissingScope(body: unknown, { scopes }: KeyAccess): ApiKeyScope | null {
  const { data } = toolCall.safeParse(body)
  const scope = scopeByTool.get(data?.params.name ?? '')
  return scope === undefined || scopes.has(scope) ? null : scope
}

/** Serves the Model Context Protocol. Its library is loaded with the first request, because most servers get none. */
export function mcpRoutes(http: KeyRoutes<KeyAccess>, deps: Deps): void {
  async function handle(method: 'GET' | 'POST' | 'DELETE', call: KeyCall<KeyAccess>): Promise<Response> {
    requireKnownOrigin(deps.env, call.headers['origin'])
    if (findMissingScope(call.body, call.access) !== null) throw new AppError('api_key.scope')
    const { handleRequest } = await import('./handle-request.ts')
    const request = new Request(`${deps.env.PUBLIC_URL}${path}`, {
      method,
      headers: readHeaders(call.headers),
      signal: call.signal,
    })
    return handleRequest(deps, call, request)
  }
  for (const method of ['GET', 'POST', 'DELETE'] as const)
    http.serve({ method, path, limit: 'read', slot: 'stream' }, (call) => handle(method, call))
}
