import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import { callOptions, searchesWeb } from './call-options.ts'
import { startDeadline, type Timeouts } from './deadline.ts'
import type { Endpoint } from './endpoint.ts'
import { estimateTokens } from './estimate.ts'
import { findCause, JsonInsteadOfStream, toModelError } from './failure.ts'
import type { Library } from './library.ts'
import { type ModelMap, type ModelPlan, planFor } from './model-plan.ts'
import { type ChatModel, ModelError, type ModelEvent, type ModelRequest, type ModelUsage } from './port.ts'
import { completeness, type Ending, readStream, readWhole } from './read-answer.ts'
import type { Report } from './report.ts'
import type { Call, Wire } from './wire.ts'
import { createWordLane } from './word-lane.ts'

const maxTextLength = 1024 * 1024
const maxJsonBytes = 8 * 1024 * 1024

export interface ChatModelParts {
  endpoint: Endpoint
  library: Library
  wire: Wire
  timeouts: Timeouts
  /** Read at each call: administrators change it while the server runs. */
  modelMap: () => ModelMap
  now: () => number
  report: Report
}

function usageOf(usage: LanguageModelV4Usage, request: ModelRequest, text: string): ModelUsage {
  const { inputTokens, outputTokens } = usage
  const isReported = inputTokens.total !== undefined && outputTokens.total !== undefined
  return {
    input: inputTokens.total ?? estimateTokens(request.turns.map(({ content }) => content).join('\n')),
    cached: inputTokens.cacheRead ?? 0,
    cacheWrite: inputTokens.cacheWrite ?? 0,
    output: outputTokens.total ?? estimateTokens(text),
    reasoning: outputTokens.reasoning ?? 0,
    estimated: !isReported,
  }
}

/** Providers demand that the pages an answer rests on can be seen and followed. */
function missingLinks({ pages }: Ending, text: string): string {
  const links = new Map<string, string>()
  for (const { url, title } of pages) {
    const href = URL.canParse(url) ? new URL(url).href.replaceAll('(', '%28').replaceAll(')', '%29') : ''
    if (/^https?:/.test(href) && !text.includes(url)) links.set(href, title.replace(/[[\]\s]+/g, ' ').trim())
  }
  const lines = [...links].map(([href, title]) => `- [${title || href}](${href})`)
  return lines.length > 0 ? `\n\n${lines.join('\n')}` : ''
}

/** Answers through the AI SDK's provider interface. */
export function createChatModel(parts: ChatModelParts): ChatModel {
  const { endpoint, library, wire, report } = parts
  function plan(request: Pick<ModelRequest, 'label'>) {
    return planFor(request.label, endpoint.kind, parts.modelMap(), parts.now())
  }

  async function* read(chosen: ModelPlan, request: ModelRequest, call: Call): AsyncGenerator<string, Ending> {
    const { deadline } = call
    const api = searchesWeb(chosen, request) ? 'responses' : chosen.api
    const model = await library.text(chosen.model, api)
    const options = callOptions(chosen, request, endpoint.kind, deadline.signal)
    const lane = api === 'chat' && chosen.streams ? createWordLane() : undefined
    wire.open(lane ? { ...call, lane } : call)
    if (!chosen.streams) return yield* readWhole(model, options)
    try {
      return yield* readStream(model, options, deadline.outputBegan, lane)
    } catch (error) {
      if (!findCause(error, JsonInsteadOfStream)) throw error
      return yield* readWhole(model, options)
    }
  }

  async function* bounded(
    texts: AsyncGenerator<string, Ending>,
  ): AsyncGenerator<ModelEvent, [Ending, string]> {
    let text = ''
    for (;;) {
      const { done, value } = await texts.next()
      if (done) return [value, text]
      const room = maxTextLength - text.length
      text += value.slice(0, room)
      if (room > 0) yield { type: 'text', text: value.slice(0, room) }
      if (value.length > room)
        throw new ModelError('assistant.unavailable', 'the answer is longer than allowed')
    }
  }

  async function* answer(chosen: ModelPlan, request: ModelRequest, call: Call): AsyncGenerator<ModelEvent> {
    const [ending, text] = yield* bounded(read(chosen, request, call))
    const reason = completeness(ending.finishReason)
    if (!reason) {
      const { unified, raw } = ending.finishReason
      throw new ModelError('assistant.unavailable', `the answer ended with '${raw ?? unified}'`)
    }
    if (text.trim() === '') throw new ModelError('assistant.unavailable', `the answer is empty (${reason})`)
    const links = missingLinks(ending, text)
    if (links !== '') yield { type: 'text', text: links }
    yield { type: 'finish', reason, usage: usageOf(ending.usage, request, text) }
  }

  return {
    resolve(label) {
      const { model, note } = plan({ label })
      return { actual: model, note }
    },

    mappedBy: (map) => createChatModel({ ...parts, modelMap: () => ({ ...parts.modelMap(), ...map }) }),

    async *reply(request) {
      request.signal.throwIfAborted()
      const chosen = plan(request)
      if (chosen.alwaysSearches && !request.allowWebSearch) {
        throw new ModelError(
          'assistant.not_configured',
          `${chosen.model} cannot be kept from searching the web`,
        )
      }
      const deadline = startDeadline(parts.timeouts, chosen.isReasoning, request.signal)
      function onRetry(detail: string) {
        return report.retry(chosen.model, detail)
      }
      const call: Call = {
        deadline,
        expects: chosen.streams ? 'stream' : 'json',
        maxJsonBytes,
        kept: null,
        onRetry,
      }
      try {
        yield* answer(chosen, request, call)
      } catch (error) {
        request.signal.throwIfAborted()
        const failure = deadline.expired() ?? toModelError(error, endpoint.apiKey)
        report.failure(chosen.model, failure)
        throw failure
      } finally {
        deadline.end()
      }
    },
  }
}
