import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import type { Endpoint } from './endpoint.ts'
import { getTraits, type ModelTraits } from './model-plan.ts'
import type { Transport } from './transport.ts'

/** The AI SDK with the models of one endpoint. Comments in this folder call the SDK "the library". */
export interface Library {
  getTextModel(model: string, api: ModelTraits['api']): Promise<LanguageModelV4>
  getEmbeddingModel(model: string): Promise<EmbeddingModelV4>
}

interface Provider {
  getTextModel(model: string, api: ModelTraits['api']): LanguageModelV4
  getEmbeddingModel(model: string): EmbeddingModelV4
}

/** Sets fields that the library leaves to the caller for unknown servers. */
function createCompatibleBody(
  args: Record<string, unknown>,
  supportsStore: boolean,
): Record<string, unknown> {
  const { max_tokens: limit, ...rest } = args
  const limitName = getTraits(String(args['model'])).isReasoning ? 'max_completion_tokens' : 'max_tokens'
  return {
    ...rest,
    ...(limit === undefined ? {} : { [limitName]: limit }),
    ...(supportsStore ? { store: false } : {}),
  }
}

async function loadOpenAi({ baseUrl, apiKey }: Endpoint, transport: Transport): Promise<Provider> {
  const { createOpenAI } = await import('@ai-sdk/openai')
  // Always pass both, because the library reads environment variables for missing ones.
  const openai = createOpenAI({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch: transport.fetch })
  return {
    getTextModel: (model, api) => (api === 'responses' ? openai.responses(model) : openai.chat(model)),
    getEmbeddingModel: (model) => openai.embedding(model),
  }
}

async function loadCompatible(
  { baseUrl, apiKey, supportsStore }: Endpoint,
  transport: Transport,
): Promise<Provider> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const compatible = createOpenAICompatible({
    name: 'compatible',
    baseURL: baseUrl,
    ...(apiKey ? { apiKey } : {}),
    fetch: transport.fetch,
    includeUsage: true,
    transformRequestBody: (args) => createCompatibleBody(args, supportsStore),
  })
  return {
    getTextModel: (model) => compatible.chatModel(model),
    getEmbeddingModel: (model) => compatible.embeddingModel(model),
  }
}

/**
 * Provides the models of one endpoint. The library is loaded at the first call, because it needs about 50 MB that a
 * server without a model endpoint never uses. Models are cached: building their schemas costs more than a short answer.
 */
export function createLibrary(endpoint: Endpoint, transport: Transport): Library {
  const load = endpoint.kind === 'openai' ? loadOpenAi : loadCompatible
  let loading: Promise<Provider> | null = null
  const models = new Map<string, LanguageModelV4>()
  function loadProvider() {
    loading ??= load(endpoint, transport)
    return loading
  }
  return {
    async getTextModel(model, api) {
      const key = `${api} ${model}`
      const cached = models.get(key) ?? (await loadProvider()).getTextModel(model, api)
      models.set(key, cached)
      return cached
    },
    getEmbeddingModel: async (model) => (await loadProvider()).getEmbeddingModel(model),
  }
}
