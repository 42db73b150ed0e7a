import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import { createCallOptions, usesWebSearch } from './call-options.ts'
import { startDeadline, type Timeouts } from './deadline.ts'
import { createDeltaFastPath } from './delta-fast-path.ts'
import type { Endpoint } from './endpoint.ts'
import { estimateTokens } from './estimate-tokens.ts'
import type { Library } from './library.ts'
import { findCause, JsonInsteadOfStream, toModelError } from './model-errors.ts'
import { createModelPlan, type ModelMap, type ModelPlan, takesPictures } from './model-plan.ts'
import { addPictures, countPictureTokens } from './pictures.ts'
import { type ChatModel, ModelError, type ModelEvent, type ModelRequest, type ModelUsage } from './port.ts'
import { type AnswerEnding, getFinishReason, readStream, readWhole } from './read-answer.ts'
import type { Report } from './report.ts'
import { readTokenCount } from './token-count.ts'
import type { Transport, TransportCall } from './transport.ts'

const maxTextLength = 1024 * 1024
const maxJsonBytes = 8 * 1024 * 1024

export interface ChatModelOptions {
  endpoint: Endpoint
  library: Library
  transport: Transport
  timeouts: Timeouts
  /** Called for every request, because administrators can change the map while the server runs. */
  modelMap: () => ModelMap
  pictureModels?: readonly string[] | undefined
  now: () => number
  report: Report
}

function toUsage(usage: LanguageModelV4Usage, request: ModelRequest, text: string): ModelUsage {
  const { inputTokens, outputTokens } = usage
  const input = readTokenCount(inputTokens.total)
  const output = readTokenCount(outputTokens.total)
  return {
    input:
      input ??
      estimateTokens(request.turns.map(({ content }) => content).join('\n')) +
        countPictureTokens(request.turns),
    cached: readTokenCount(inputTokens.cacheRead) ?? 0,
    cacheWrite: readTokenCount(inputTokens.cacheWrite) ?? 0,
    output: output ?? estimateTokens(text),
    reasoning: readTokenCount(outputTokens.reasoning) ?? 0,
    estimated: input === undefined || output === undefined,
  }
}

/** Lists pages the answer is based on but does not link. Providers require visible, clickable sources. */
function formatMissingLinks({ pages }: AnswerEnding, text: string): string {
  const links = new Map<string, string>()
  for (const { url, title } of pages) {
    const href = URL.canParse(url) ? new URL(url).href.replaceAll('(', '%28').replaceAll(')', '%29') : ''
    if (/^https?:/.test(href) && !text.includes(url)) links.set(href, title.replace(/[[\]\s]+/g, ' ').trim())
  }
  const lines = [...links].map(([href, title]) => `- [${title || href}](${href})`)
  return lines.length > 0 ? `\n\n${lines.join('\n')}` : ''
}

/** Implements the chat model with the AI SDK's provider interface. */
export function createChatModel(chatOptions: ChatModelOptions): ChatModel {
  const { endpoint, library, transport, report } = chatOptions
  function createPlan(request: Pick<ModelRequest, 'label'>) {
    return createModelPlan(request.label, endpoint.kind, chatOptions.modelMap(), chatOptions.now())
  }

  async function* readTexts(
    plan: ModelPlan,
    request: ModelRequest,
    call: TransportCall,
  ): AsyncGenerator<string, AnswerEnding> {
    const { deadline } = call
    const api = usesWebSearch(plan, request) ? 'responses' : plan.api
    const model = await library.getTextModel(plan.model, api)
    const { turns, pictures } = addPictures(request.turns)
    const options = createCallOptions(plan, { ...request, turns }, endpoint.kind, deadline.signal)
    const fastPath = api === 'chat' && plan.canStream ? createDeltaFastPath() : undefined
    transport.register({ ...call, pictures, ...(fastPath ? { fastPath } : {}) })
    if (!plan.canStream) return yield* readWhole(model, options)
    try {
      return yield* readStream(model, options, deadline.markOutputStarted, fastPath)
    } catch (error) {
      if (!findCause(error, JsonInsteadOfStream)) throw error
      return yield* readWhole(model, options)
    }
  }

  async function* streamAnswer(
    plan: ModelPlan,
    request: ModelRequest,
    call: TransportCall,
  ): AsyncGenerator<ModelEvent> {
    const texts = readTexts(plan, request, call)
    let text = ''
    let next = await texts.next()
    for (; !next.done; next = await texts.next()) {
      const piece = next.value.slice(0, maxTextLength - text.length)
      text += piece
      if (piece !== '') yield { type: 'text', text: piece }
      if (piece.length < next.value.length)
        throw new ModelError('assistant.unavailable', 'the answer is longer than allowed')
    }
    const ending = next.value
    report.badEvents(plan.model, ending.badEvents)
    const reason = getFinishReason(ending.finishReason)
    if (!reason) {
      const { unified, raw } = ending.finishReason
      throw new ModelError('assistant.unavailable', `the answer ended with '${raw ?? unified}'`)
    }
    if (text.trim() === '') throw new ModelError('assistant.unavailable', `the answer is empty (${reason})`)
    const links = formatMissingLinks(ending, text)
    if (links !== '') yield { type: 'text', text: links }
    yield { type: 'finish', reason, usage: toUsage(ending.usage, request, text) }
  }

  return {
    resolve(label) {
      const { model, note } = createPlan({ label })
      return { actual: model, note, takesPictures: takesPictures(model, chatOptions.pictureModels) }
    },

    withModelMap: (map) =>
      createChatModel({ ...chatOptions, modelMap: () => ({ ...chatOptions.modelMap(), ...map }) }),

    async *reply(request) {
      request.signal.throwIfAborted()
      const plan = createPlan(request)
      if (plan.alwaysSearches && !request.allowWebSearch) {
        throw new ModelError(
          'assistant.not_configured',
          `${plan.model} always searches the web, which is not allowed here`,
        )
      }
      const deadline = startDeadline(chatOptions.timeouts, plan.isReasoning, request.signal)
      function onRetry(detail: string) {
        return report.retry(plan.model, detail)
      }
      const call: TransportCall = {
        deadline,
        expects: plan.canStream ? 'stream' : 'json',
        maxJsonBytes,
        bufferedJson: null,
        onRetry,
      }
      try {
        yield* streamAnswer(plan, request, call)
        report.success(plan.model)
      } catch (error) {
        request.signal.throwIfAborted()
        const failure = deadline.getTimeoutError() ?? toModelError(error, endpoint.apiKey)
        report.failure(plan.model, failure)
        throw failure
      } finally {
        deadline.end()
      }
    },
  }
}
