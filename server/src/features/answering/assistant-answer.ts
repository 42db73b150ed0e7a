import { askModel, externalModel, type ModelCall, streamCallText } from '#providers/assistant/model-calls.ts'
import type { ExternalAssistants, ModelEvent } from '#providers/assistant/port.ts'
import { createPlainTurns } from '#providers/assistant/turns.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { getCurrentModel } from '../assistants/model-map.ts'
import type { AssistantBehavior } from '../assistants/preset-row.ts'
import { resolveAssistant } from '../assistants/resolve.ts'
import type { AnswerPart, AnswerRequest } from './answer-parts.ts'
import { joinContinuation } from './continuation.ts'
import { claimThread, storeThread } from './thread-store.ts'

async function* toAnswerParts(texts: AsyncIterable<string>): AsyncGenerator<AnswerPart> {
  yield { type: 'mode', mode: 'model' }
  yield { type: 'status', status: 'thinking' }
  for await (const text of texts) yield { type: 'text', text }
}

/** Answers like a custom channel without documents. */
async function* streamPresetAnswer(
  deps: Deps,
  request: AnswerRequest,
  { instructions, model, options }: AssistantBehavior,
) {
  const { channel, question, history, interrupted, signal, calls } = request
  const chatModel = await getCurrentModel(deps)
  if (!chatModel) throw new AppError('assistant.not_configured')
  const modelRequest = {
    label: model,
    turns: createPlainTurns({ instructions, history, question, partialReply: interrupted?.text ?? null }),
    allowWebSearch: true,
    cacheKey: channel.id,
    ...options,
    signal,
  }
  yield* toAnswerParts(joinContinuation(interrupted, askModel(chatModel, modelRequest, 'answer', calls)))
}

async function* streamExternalAnswer(deps: Deps, request: AnswerRequest, external: ExternalAssistants) {
  const { channel, chatId, parentId, messageId, question, history, signal, calls } = request
  const threadKey = { chatId, assistantId: channel.assistant_id }
  const threadId = parentId === null ? null : await claimThread(deps.db, { ...threadKey, leafId: parentId })
  const call: ModelCall = {
    purpose: 'answer',
    requested: externalModel,
    actual: externalModel,
    reportedUsage: null,
    promptText: [...history.map(({ content }) => content), question].join('\n'),
    answerText: '',
  }
  calls.push(call)
  let newThreadId: string | null = null
  async function* events(): AsyncGenerator<ModelEvent> {
    const externalRequest = { assistantId: channel.assistant_id, threadId, history, question, signal }
    for await (const event of external.reply(externalRequest)) {
      if (event.type !== 'started') yield event
      else {
        newThreadId = event.threadId
        call.actual = event.model ?? externalModel
      }
    }
  }
  yield* toAnswerParts(streamCallText(events(), call))
  // Only after a complete answer does the thread match the chat.
  if (newThreadId !== null)
    await storeThread(deps.db, newThreadId, { ...threadKey, leafId: messageId }).catch((error: unknown) =>
      deps.log.warn({ err: error, chatId }, 'could not store a thread; the next question starts a new one'),
    )
}

/** Streams the answer of a ready-made assistant, either a preset or one on another server. */
export async function* streamAssistantAnswer(deps: Deps, request: AnswerRequest): AsyncGenerator<AnswerPart> {
  const resolved = await resolveAssistant(deps, request.channel.assistant_id)
  switch (resolved.kind) {
    case 'preset':
      yield* streamPresetAnswer(deps, request, resolved.behavior)
      return
    case 'external':
      // A thread cannot continue in the middle of a message.
      if (request.interrupted) throw new AppError('chat.cannot_continue')
      yield* streamExternalAnswer(deps, request, resolved.external)
      return
    case 'none':
      throw new AppError('assistant.not_configured')
  }
}
