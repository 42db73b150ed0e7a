import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import type { Deps } from '../../deps.ts'
import type { ProgramCall } from '../programs/program-call.ts'
import { addResources } from './resources.ts'
import { addTools } from './tools.ts'

const instructions =
  'Lyceum answers from documents that administrators have approved. Use answer for a question, and search and read to look for yourself. Cite the document and its page.'

/** Answers one request. Each is served by itself, so that any server of a cluster can. */
export async function handleRequest(
  deps: Deps,
  call: ProgramCall & { body: unknown },
  request: Request,
): Promise<Response> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'lyceum', version: '1' }, { instructions })
    addTools(server, deps, call)
    addResources(server, deps, call.access)
    return server
  })
  return handler.fetch(request, { parsedBody: call.body })
}
