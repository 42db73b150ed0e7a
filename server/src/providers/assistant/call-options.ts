import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Endpoint } from './endpoint.ts'
import type { ModelPlan } from './model-plan.ts'
import type { ModelRequest } from './port.ts'
import { type PromptTurn, toPrompt } from './prompt.ts'

/** Low, so that answers from documents vary little. */
const temperature = 0.2

type OpenAiOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>[string]

function createOpenAiOptions(
  plan: ModelPlan,
  request: Pick<ModelRequest, 'cacheKey' | 'reasoningEffort'>,
  searchesWeb: boolean,
): OpenAiOptions {
  return {
    // The provider must not store chats; only we do.
    store: false,
    ...(request.cacheKey === undefined ? {} : { promptCacheKey: request.cacheKey }),
    ...(plan.systemRole === 'none' ? {} : { systemMessageMode: plan.systemRole }),
    ...(plan.reasoningMode ? { reasoningMode: plan.reasoningMode } : {}),
    ...(searchesWeb ? { includeWebSearchSources: false } : {}),
    // The library requests a reasoning summary by default, which not every organization may use.
    ...(getReasoningEffort(plan, request) ? { reasoningSummary: null } : {}),
  }
}

function getReasoningEffort(plan: ModelPlan, { reasoningEffort }: Pick<ModelRequest, 'reasoningEffort'>) {
  return plan.isReasoning ? reasoningEffort : undefined
}

/** The web is searched only if both the label includes it and the channel allows it. */
export function usesWebSearch(plan: ModelPlan, request: Pick<ModelRequest, 'allowWebSearch'>) {
  return plan.webSearch && request.allowWebSearch
}

export function createCallOptions(
  plan: ModelPlan,
  request: Omit<ModelRequest, 'turns'> & { turns: readonly PromptTurn[] },
  kind: Endpoint['kind'],
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  const searchesWeb = usesWebSearch(plan, request)
  const reasoning = getReasoningEffort(plan, request)
  return {
    prompt: toPrompt(request.turns, plan.systemRole),
    abortSignal,
    ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
    ...(plan.allowSampling ? { temperature } : {}),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(searchesWeb
      ? { tools: [{ type: 'provider', id: 'openai.web_search', name: 'web_search', args: {} }] }
      : {}),
    ...(kind === 'openai'
      ? { providerOptions: { openai: createOpenAiOptions(plan, request, searchesWeb) } }
      : {}),
  }
}
