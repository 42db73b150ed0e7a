import { createChatModel } from './chat-model.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { defaultTimeouts, type Timeouts } from './deadline.ts'
import { createEmbedder, type EmbeddingConnection } from './embedder.ts'
import { type Endpoint, readAssistantsEndpoint, readEndpoint } from './endpoint.ts'
import { createExternalAssistants } from './external-assistants.ts'
import { createLibrary } from './library.ts'
import type { ModelMap } from './model-plan.ts'
import type { Assistant, ChatModel, Embedder, Reranker } from './port.ts'
import { type AssistantLog, createReport, type EndpointKind } from './report.ts'
import { createReranker, type RerankingConnection } from './reranker.ts'
import { createTransport } from './transport.ts'

export type { AssistantEvent, EndpointKind } from './report.ts'

export interface AssistantOptions {
  apiKey?: string | undefined
  baseUrl?: string | undefined
  assistantsBaseUrl?: string | undefined
  /** For an assistants server other than the model endpoint. */
  assistantsApiKey?: string | undefined
  embedding?: EmbeddingConnection | null
  reranking?: RerankingConnection | null
  /** Maps a label, or '*' for all others, to the provider's model. A function is called for every request. */
  modelMap: ModelMap | (() => ModelMap)
  /** Names of models that take pictures, where `*` matches anything; the known ones if undefined. */
  pictureModels?: readonly string[] | undefined
  now: () => number
  timeouts?: Partial<Timeouts> | undefined
  /** Waits before a retry; tests replace it. */
  wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  log?: AssistantLog | undefined
}

type CallOptions = Pick<AssistantOptions, 'now' | 'timeouts' | 'wait' | 'log'>
export type ChatOptions = CallOptions & Pick<AssistantOptions, 'modelMap' | 'pictureModels'>

function openEndpoint(endpoint: Endpoint, kind: EndpointKind, { now, wait, log, timeouts }: CallOptions) {
  const transport = createTransport({ wait, now })
  return {
    endpoint,
    transport,
    library: createLibrary(endpoint, transport),
    timeouts: { ...defaultTimeouts, ...timeouts },
    report: createReport(log, now, kind),
  }
}

/** Creates the chat model of one endpoint. */
export function createEndpointChat(endpoint: Endpoint, options: ChatOptions): ChatModel {
  const { now, modelMap, pictureModels } = options
  const readMap = typeof modelMap === 'function' ? modelMap : () => modelMap
  return createChatModel({
    ...openEndpoint(endpoint, 'chat', options),
    modelMap: readMap,
    pictureModels,
    now,
  })
}

export function createEndpointEmbedder(
  endpoint: Endpoint,
  connection: EmbeddingConnection,
  options: CallOptions,
): Embedder {
  const breaker = createCircuitBreaker(options.now)
  return createEmbedder({ ...openEndpoint(endpoint, 'embeddings', options), connection, breaker })
}

/** Null without an endpoint or a model. */
export function openEmbedder(
  connection: EmbeddingConnection | null | undefined,
  options: CallOptions,
): Embedder | null {
  const endpoint = connection ? readEndpoint(connection.apiKey, connection.baseUrl) : null
  return endpoint && connection?.model ? createEndpointEmbedder(endpoint, connection, options) : null
}

export function openReranker(connection: RerankingConnection, options: CallOptions): Reranker {
  const { now, wait, log, timeouts } = options
  return createReranker({
    connection,
    transport: createTransport({ wait, now }),
    timeouts: { ...defaultTimeouts, ...timeouts },
    breaker: createCircuitBreaker(now),
    report: createReport(log, now, 'reranking'),
  })
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

/** Implements the port with OpenAI or compatible endpoints. Fields without an endpoint are null. */
export function createAssistant(options: AssistantOptions): Assistant {
  const endpoint = readEndpoint(options.apiKey, options.baseUrl)
  return {
    chat: endpoint && createEndpointChat(endpoint, options),
    embedder: openEmbedder(options.embedding, options),
    reranker: options.reranking ? openReranker(options.reranking, options) : null,
    external: createExternal(endpoint, options),
  }
}
