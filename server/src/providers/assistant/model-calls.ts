import { estimateTokens } from '#providers/assistant/estimate-tokens.ts'
import { countPictureTokens } from '#providers/assistant/pictures.ts'
import {
  type ChatModel,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type ModelUsage,
} from '#providers/assistant/port.ts'

/** A model call for a reply or a title. It is counted even if it ends early. */
export interface ModelCall {
  purpose: 'answer' | 'rewrite' | 'title' | 'judge'
  requested: string
  actual: string
  /** The usage the provider reported; null until then. */
  reportedUsage: ModelUsage | null
  /** The prompt, for our estimate. */
  promptText: string
  /** Of the pictures in the prompt, estimated. */
  pictureTokens?: number
  answerText: string
}

/** Recorded as the model of an extractive reply, which calls no model. */
export const extractiveModel = 'extractive'

/** Shown instead of a model label, because members must not see the id of an external assistant. */
export const externalModel = 'assistant'

/**
 * In characters, about 30,000 tokens. Enforced here and not by the provider: servers with a smaller context refuse such
 * a limit, and for reasoning models it would include the reasoning. An answer of twice this length, after a
 * continuation, is still shown in full.
 */
export const maxAnswerLength = 128_000

const noUsage: ModelUsage = { input: 0, cached: 0, cacheWrite: 0, output: 0, reasoning: 0, estimated: false }

/** Returns the usage the provider reported, or our estimate if the call ended before that. */
export function getCallUsage({
  actual,
  reportedUsage,
  promptText,
  pictureTokens = 0,
  answerText,
}: ModelCall): ModelUsage {
  if (actual === extractiveModel) return noUsage
  if (reportedUsage) return reportedUsage
  const input = answerText === '' ? 0 : estimateTokens(promptText) + pictureTokens
  return { ...noUsage, input, output: estimateTokens(answerText), estimated: true }
}

/** Yields the text of an answer as it arrives and records it in `call`. */
export async function* streamCallText(
  events: AsyncIterable<ModelEvent>,
  call: ModelCall,
): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type === 'finish') {
      call.reportedUsage = event.usage
      // A truncated search query is still useful, but a truncated answer must not look complete.
      if (event.reason === 'length' && call.purpose === 'answer')
        throw new ModelError('assistant.cut', 'the answer reached the output limit')
    } else {
      const left = maxAnswerLength - call.answerText.length
      const text = event.text.length > left ? event.text.slice(0, left).toWellFormed() : event.text
      call.answerText += text
      yield text
      if (event.text.length > left)
        throw new ModelError('assistant.unavailable', 'the answer is longer than allowed')
    }
  }
}

/** Calls a model and yields its text. The call is added to `calls` before it starts. */
export function askModel(
  chat: ChatModel,
  request: ModelRequest,
  purpose: ModelCall['purpose'],
  calls: ModelCall[],
): AsyncGenerator<string> {
  const call: ModelCall = {
    purpose,
    requested: request.label,
    actual: chat.resolve(request.label).actual,
    reportedUsage: null,
    promptText: request.turns.map(({ content }) => content).join('\n'),
    pictureTokens: countPictureTokens(request.turns),
    answerText: '',
  }
  calls.push(call)
  return streamCallText(chat.reply(request), call)
}
