import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import type { Endpoint } from './endpoint.ts'
import { type ModelTraits, traitsOf } from './model-plan.ts'
import type { Wire } from './wire.ts'

export interface Library {
  text(model: string, api: ModelTraits['api']): Promise<LanguageModelV4>
  embedding(model: string): Promise<EmbeddingModelV4>
}

interface Provider {
  text(model: string, api: ModelTraits['api']): LanguageModelV4
  embedding(model: string): EmbeddingModelV4
}

/** The library leaves these to the caller for servers it does not know. */
function compatibleBody(args: Record<string, unknown>, takesStore: boolean): Record<string, unknown> {
  const { max_tokens: limit, ...rest } = args
  const limitName = traitsOf(String(args['model'])).isReasoning ? 'max_completion_tokens' : 'max_tokens'
  return {
    ...rest,
    ...(limit === undefined ? {} : { [limitName]: limit }),
    ...(takesStore ? { store: false } : {}),
  }
}

async function loadOpenAi({ baseUrl, apiKey }: Endpoint, wire: Wire): Promise<Provider> {
  const { createOpenAI } = await import('@ai-sdk/openai')
  // Both are always given: left out, the library would look into the environment by itself.
  const openai = createOpenAI({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch: wire.fetch })
  return {
    text: (model, api) => (api === 'responses' ? openai.responses(model) : openai.chat(model)),
    embedding: (model) => openai.embedding(model),
  }
}

async function loadCompatible({ baseUrl, apiKey, takesStore }: Endpoint, wire: Wire): Promise<Provider> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const compatible = createOpenAICompatible({
    name: 'compatible',
    baseURL: baseUrl,
    ...(apiKey ? { apiKey } : {}),
    fetch: wire.fetch,
    includeUsage: true,
    transformRequestBody: (args) => compatibleBody(args, takesStore),
  })
  return {
    text: (model) => compatible.chatModel(model),
    embedding: (model) => compatible.embeddingModel(model),
  }
}

/**
 * The models of one endpoint. Loaded at the first call, as it takes some 50 MB that a server without a model endpoint
 * never needs. Each model is made once: its schemas cost more to build than a short answer to read.
 */
export function createLibrary(endpoint: Endpoint, wire: Wire): Library {
  const load = endpoint.kind === 'openai' ? loadOpenAi : loadCompatible
  let loading: Promise<Provider> | null = null
  const models = new Map<string, LanguageModelV4>()
  function provider() {
    loading ??= load(endpoint, wire)
    return loading
  }
  return {
    async text(model, api) {
      const key = `${api} ${model}`
      const made = models.get(key) ?? (await provider()).text(model, api)
      models.set(key, made)
      return made
    },
    embedding: async (model) => (await provider()).embedding(model),
  }
}
