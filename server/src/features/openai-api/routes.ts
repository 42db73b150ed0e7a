import type { KeyRoutes } from '#http/key-routes.ts'
import { parseInput } from '#http/parse.ts'
import type { Deps } from '../../deps.ts'
import type { KeyAccess } from '../api-keys/authenticate-key.ts'
import { getModel, listModels } from '../programs/channel-models.ts'
import { chatCompletionRequest, createChatCompletion } from './chat-completions.ts'
import { createResponse, responseRequest } from './responses.ts'

/** The part of OpenAI's API with which its clients ask questions in channels. */
export function openaiApiRoutes(http: KeyRoutes<KeyAccess>, deps: Deps): void {
  http.serve({ method: 'GET', path: '/v1/models', limit: 'read' }, ({ access }) => listModels(deps, access))
  http.serve({ method: 'GET', path: '/v1/models/:model', limit: 'read' }, ({ access, params }) =>
    getModel(deps, access, params['model'] ?? ''),
  )
  http.serve({ method: 'POST', path: '/v1/chat/completions', limit: 'message', slot: 'stream' }, (call) =>
    createChatCompletion(deps, call, parseInput(chatCompletionRequest, call.body)),
  )
  http.serve({ method: 'POST', path: '/v1/responses', limit: 'message', slot: 'stream' }, (call) =>
    createResponse(deps, call, parseInput(responseRequest, call.body)),
  )
}
