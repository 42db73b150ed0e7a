import { createChatModel } from './chat-model.ts'
import { defaultTimeouts, type Timeouts } from './deadline.ts'
import { createEmbedder } from './embedder.ts'
import { type Endpoint, readAssistantsEndpoint, readEndpoint } from './endpoint.ts'
import { createExternalAssistants } from './external-assistants.ts'
import { createLibrary } from './library.ts'
import type { ModelMap } from './model-plan.ts'
import type { Assistant } from './port.ts'
import { type AssistantEvent, createReport } from './report.ts'
import { createTransport } from './transport.ts'

export type { AssistantEvent } from './report.ts'

export interface AssistantOptions {
  apiKey?: string | undefined
  baseUrl?: string | undefined
  assistantsBaseUrl?: string | undefined
  /** For an assistants server other than the model endpoint. */
  assistantsApiKey?: string | undefined
  /** 'none' turns embeddings off. */
  embeddingModel: string
  /** Maps a label, or '*' for all others, to the provider's model. A function is called for every request. */
  modelMap: ModelMap | (() => ModelMap)
  /** Names of models that take pictures, where `*` matches anything; the known ones if undefined. */
  pictureModels?: readonly string[] | undefined
  now: () => number
  timeouts?: Partial<Timeouts> | undefined
  /** Waits before a retry; tests replace it. */
  wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  log?: ((event: AssistantEvent) => void) | undefined
}

export type EndpointAssistantOptions = Omit<
  AssistantOptions,
  'apiKey' | 'baseUrl' | 'assistantsBaseUrl' | 'assistantsApiKey'
>

/** Creates the chat model and embedder of one endpoint. */
export function createEndpointAssistant(
  endpoint: Endpoint,
  options: EndpointAssistantOptions,
): Pick<Assistant, 'chat' | 'embedder'> {
  const { embeddingModel, now, modelMap, pictureModels } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const report = createReport(options.log, now)
  const transport = createTransport({ wait: options.wait, now })
  const library = createLibrary(endpoint, transport)
  const readMap = typeof modelMap === 'function' ? modelMap : () => modelMap
  return {
    chat: createChatModel({
      endpoint,
      library,
      transport,
      timeouts,
      modelMap: readMap,
      pictureModels,
      now,
      report,
    }),
    embedder:
      embeddingModel === 'none'
        ? null
        : createEmbedder({ model: embeddingModel, endpoint, library, transport, timeouts, report }),
  }
}

function createExternal(models: Endpoint | null, options: AssistantOptions): Assistant['external'] {
  const { now, wait } = options
  const endpoint = readAssistantsEndpoint(models, options.assistantsBaseUrl, options.assistantsApiKey)
  return (
    endpoint &&
    createExternalAssistants({
      endpoint,
      transport: createTransport({ wait, now }),
      timeouts: { ...defaultTimeouts, ...options.timeouts },
      report: createReport(options.log, now),
    })
  )
}

/** Implements the port with OpenAI or a compatible endpoint. Fields without an endpoint are null. */
export function createAssistant(options: AssistantOptions): Assistant {
  const endpoint = readEndpoint(options.apiKey, options.baseUrl)
  const models = endpoint ? createEndpointAssistant(endpoint, options) : { chat: null, embedder: null }
  return { ...models, external: createExternal(endpoint, options) }
}
