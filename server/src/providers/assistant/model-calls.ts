import { estimateTokens } from '#providers/assistant/estimate.ts'
import {
  type ChatModel,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type ModelUsage,
} from '#providers/assistant/port.ts'

/** One call of a model for a reply, counted also when it ends early. */
export interface ModelCall {
  purpose: 'answer' | 'rewrite'
  requested: string
  actual: string
  /** What the provider reported; null as long as it has not. */
  reported: ModelUsage | null
  /** For our own estimate. */
  asked: string
  answered: string
}

/** A reply that quotes passages: no model was asked, and that is recorded too. */
export const extractiveModel = 'extractive'

/** Shown where a label stands otherwise: the id of an assistant is not for everyone who chats with it. */
export const externalModel = 'assistant'

/**
 * Characters. Counted here: a limit sent along is refused by servers whose context is smaller, and with models that
 * think it would count their thoughts. Some 30,000 tokens; twice as much, an answer that was gone on with, is still
 * shown in full.
 */
export const longestAnswer = 128_000

const nothing: ModelUsage = { input: 0, cached: 0, cacheWrite: 0, output: 0, reasoning: 0, estimated: false }

/** The provider's figures, or our estimate when the call ended before it gave any. */
export function usageOfCall({ actual, reported, asked, answered }: ModelCall): ModelUsage {
  if (actual === extractiveModel) return nothing
  if (reported) return reported
  const input = answered === '' ? 0 : estimateTokens(asked)
  return { ...nothing, input, output: estimateTokens(answered), estimated: true }
}

/** The text of one answer as it comes; the call learns of it. */
export async function* listen(events: AsyncIterable<ModelEvent>, call: ModelCall): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type === 'finish') {
      call.reported = event.usage
      // A question rewritten for the search serves as far as it goes; an answer must not pass for whole.
      if (event.reason === 'length' && call.purpose === 'answer')
        throw new ModelError('assistant.cut', 'the answer reached the output limit')
    } else {
      call.answered += event.text
      yield event.text
      if (call.answered.length > longestAnswer)
        throw new ModelError('assistant.unavailable', 'the answer is longer than allowed')
    }
  }
}

/** The same, asked of a model; `calls` learns of the call before it is made. */
export async function* askModel(
  chat: ChatModel,
  request: ModelRequest,
  purpose: ModelCall['purpose'],
  calls: ModelCall[],
): AsyncGenerator<string> {
  const call: ModelCall = {
    purpose,
    requested: request.label,
    actual: chat.resolve(request.label).actual,
    reported: null,
    asked: request.turns.map(({ content }) => content).join('\n'),
    answered: '',
  }
  calls.push(call)
  yield* listen(chat.reply(request), call)
}
