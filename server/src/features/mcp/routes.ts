import type { KeyCall, KeyRoutes } from '#http/key-routes.ts'
import type { Deps } from '../../deps.ts'
import type { KeyAccess } from '../api-keys/authenticate-key.ts'

const path = '/mcp'

function readHeaders(headers: KeyCall<KeyAccess>['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
}

/** Serves the Model Context Protocol. Its library is loaded with the first request, because most servers get none. */
export function mcpRoutes(http: KeyRoutes<KeyAccess>, deps: Deps): void {
  async function handle(method: 'GET' | 'POST' | 'DELETE', call: KeyCall<KeyAccess>): Promise<Response> {
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
