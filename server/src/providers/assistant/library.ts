import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import type { Endpoint } from './endpoint.ts'
import { type ModelTraits, traitsOf } from './model-plan.ts'
import type { Wire } from './wire.ts'

export interface Library {
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

function createProvider(endpoint: Endpoint, wire: Wire): Library {
  const { baseUrl: baseURL, apiKey, takesStore } = endpoint
  if (endpoint.kind === 'openai') {
    // Both are always given: left out, the library would look into the environment by itself.
    const openai = createOpenAI({ baseURL, apiKey: apiKey ?? '', fetch: wire.fetch })
    return {
      text: (model, api) => (api === 'responses' ? openai.responses(model) : openai.chat(model)),
      embedding: (model) => openai.embedding(model),
    }
  }
  const compatible = createOpenAICompatible({
    name: 'compatible',
    baseURL,
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

/** The models of one endpoint. Each is made once: its schemas cost more to build than a short answer to read. */
export function createLibrary(endpoint: Endpoint, wire: Wire): Library {
  const provider = createProvider(endpoint, wire)
  const models = new Map<string, LanguageModelV4>()
  return {
    text(model, api) {
      const key = `${api} ${model}`
      const made = models.get(key) ?? provider.text(model, api)
      models.set(key, made)
      return made
    },
    embedding: provider.embedding,
  }
}
