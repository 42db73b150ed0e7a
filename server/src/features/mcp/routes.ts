import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import type { KeyCall, KeyRoutes } from '#http/key-routes.ts'
import type { Deps } from '../../deps.ts'
import type { KeyAccess } from '../api-keys/authenticate-key.ts'
import { addResources } from './resources.ts'
import { addTools } from './tools.ts'

const path = '/mcp'

const instructions =
  'Lyceum answers from documents that administrators have approved. Use answer for a question, and search and read to look for yourself. Cite the document and its page.'

function readHeaders(headers: KeyCall<KeyAccess>['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
}

/** Serves the Model Context Protocol. Each request is served by itself, so that any server of a cluster can. */
export function mcpRoutes(http: KeyRoutes<KeyAccess>, deps: Deps): void {
  async function handle(method: 'GET' | 'POST' | 'DELETE', call: KeyCall<KeyAccess>): Promise<Response> {
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: 'lyceum', version: '1' }, { instructions })
      addTools(server, deps, call)
      addResources(server, deps, call.access)
      return server
    })
    const request = new Request(`${deps.env.PUBLIC_URL}${path}`, {
      method,
      headers: readHeaders(call.headers),
      signal: call.signal,
    })
    return handler.fetch(request, { parsedBody: call.body })
  }
  for (const method of ['GET', 'POST', 'DELETE'] as const)
    http.serve({ method, path, limit: 'read', slot: 'stream' }, (call) => handle(method, call))
}
