import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Endpoint } from './endpoint.ts'
import type { ModelPlan } from './model-plan.ts'
import type { ModelRequest } from './port.ts'
import { toPrompt } from './prompt.ts'

/** Answers from documents should not vary from one time to the next. */
const temperature = 0.2

type OpenAiOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>[string]

function openAiOptions(plan: ModelPlan, request: ModelRequest, searches: boolean): OpenAiOptions {
  return {
    // Chats are kept by us alone, not a second time at the provider.
    store: false,
    ...(request.cacheKey === undefined ? {} : { promptCacheKey: request.cacheKey }),
    ...(plan.systemRole === 'none' ? {} : { systemMessageMode: plan.systemRole }),
    ...(plan.reasoningMode ? { reasoningMode: plan.reasoningMode } : {}),
    ...(searches ? { includeWebSearchSources: false } : {}),
    // The library would otherwise ask for a summary of the thoughts, which not every organisation may have.
    ...(effortOf(plan, request) ? { reasoningSummary: null } : {}),
  }
}

function effortOf(plan: ModelPlan, { reasoningEffort }: ModelRequest) {
  return plan.isReasoning ? reasoningEffort : undefined
}

/** The web is searched only where both the label means it and the channel allows it. */
export function searchesWeb(plan: ModelPlan, request: ModelRequest) {
  return plan.webSearch && request.allowWebSearch
}

export function callOptions(
  plan: ModelPlan,
  request: ModelRequest,
  kind: Endpoint['kind'],
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  const searches = searchesWeb(plan, request)
  const reasoning = effortOf(plan, request)
  return {
    prompt: toPrompt(request.turns, plan.systemRole),
    abortSignal,
    ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
    ...(plan.allowSampling ? { temperature } : {}),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(searches
      ? { tools: [{ type: 'provider', id: 'openai.web_search', name: 'web_search', args: {} }] }
      : {}),
    ...(kind === 'openai' ? { providerOptions: { openai: openAiOptions(plan, request, searches) } } : {}),
  }
}
