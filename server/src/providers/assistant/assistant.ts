import { createChatModel } from './chat-model.ts'
import { type Timeouts, usualTimeouts } from './deadline.ts'
import { createEmbedder } from './embedder.ts'
import { type Endpoint, readAssistantsEndpoint, readEndpoint } from './endpoint.ts'
import { createExternalAssistants } from './external-assistants.ts'
import { createLibrary } from './library.ts'
import type { ModelMap } from './model-plan.ts'
import type { Assistant } from './port.ts'
import { type AssistantEvent, createReport } from './report.ts'
import { createWire } from './wire.ts'

export type { AssistantEvent } from './report.ts'

export interface AssistantOptions {
  apiKey?: string | undefined
  baseUrl?: string | undefined
  assistantsBaseUrl?: string | undefined
  /** For a server of assistants that is not the model endpoint. */
  assistantsApiKey?: string | undefined
  /** 'none' switches embeddings off. */
  embeddingModel: string
  /** Label or '*' to the provider's model; a function is asked at each call. */
  modelMap: ModelMap | (() => ModelMap)
  now: () => number
  timeouts?: Partial<Timeouts> | undefined
  /** Waits before a second try; by the clock unless given. */
  wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  log?: ((event: AssistantEvent) => void) | undefined
}

export type EndpointAssistantOptions = Omit<
  AssistantOptions,
  'apiKey' | 'baseUrl' | 'assistantsBaseUrl' | 'assistantsApiKey'
>

/** The models of one endpoint. */
export function createEndpointAssistant(
  endpoint: Endpoint,
  options: EndpointAssistantOptions,
): Pick<Assistant, 'chat' | 'embedder'> {
  const { embeddingModel, now, modelMap } = options
  const timeouts = { ...usualTimeouts, ...options.timeouts }
  const report = createReport(options.log, now)
  const wire = createWire({ wait: options.wait, now })
  const library = createLibrary(endpoint, wire)
  const readMap = typeof modelMap === 'function' ? modelMap : () => modelMap
  return {
    chat: createChatModel({ endpoint, library, wire, timeouts, modelMap: readMap, now, report }),
    embedder:
      embeddingModel === 'none'
        ? null
        : createEmbedder({ model: embeddingModel, endpoint, library, wire, timeouts, report }),
  }
}

function openExternal(models: Endpoint | null, options: AssistantOptions): Assistant['external'] {
  const { now, wait } = options
  const endpoint = readAssistantsEndpoint(models, options.assistantsBaseUrl, options.assistantsApiKey)
  return (
    endpoint &&
    createExternalAssistants({
      endpoint,
      wire: createWire({ wait, now }),
      timeouts: { ...usualTimeouts, ...options.timeouts },
      report: createReport(options.log, now),
    })
  )
}

/** OpenAI or anything compatible behind our port; nothing at all while no endpoint is set. */
export function createAssistant(options: AssistantOptions): Assistant {
  const endpoint = readEndpoint(options.apiKey, options.baseUrl)
  const models = endpoint ? createEndpointAssistant(endpoint, options) : { chat: null, embedder: null }
  return { ...models, external: openExternal(endpoint, options) }
}
