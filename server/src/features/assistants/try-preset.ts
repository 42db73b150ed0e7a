import type { PresetTrial } from '@lyceum/contract/assistants'
import { errors } from '@lyceum/contract/errors'
import { uuidv7 } from 'uuidv7'
import { askModel, getCallUsage, type ModelCall } from '#providers/assistant/model-calls.ts'
import { ModelError } from '#providers/assistant/port.ts'
import { createPlainTurns } from '#providers/assistant/turns.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { getCurrentModel } from './model-map.ts'
import { insertTestUsage } from './store.ts'

/** In milliseconds. Short, because an administrator is waiting for the result. */
const replyTimeout = 90_000

/** Administrators see the reason, including the provider's error message. */
function toAppError(error: unknown): unknown {
  if (error instanceof DOMException && error.name === 'TimeoutError') return new AppError('assistant.timeout')
  if (!(error instanceof ModelError)) return error
  const { code, detail, retryAfter } = error
  return new AppError(code, {
    message: `${errors[code].message.replace(/\..*$/, '')} (${detail})`,
    ...(retryAfter === null ? {} : { retryAfter }),
  })
}

export async function recordTestUsage(deps: Deps, actor: Actor, call: ModelCall): Promise<void> {
  const { input, cached, cacheWrite, output, reasoning, estimated } = getCallUsage(call)
  await insertTestUsage(deps.db, {
    id: uuidv7(),
    user_id: actor.userId,
    requested_model: call.requested,
    actual_model: call.actual,
    input,
    cached,
    cache_write: cacheWrite,
    output,
    reasoning,
    estimated: estimated ? 1 : 0,
    created_at: deps.now(),
  })
}

/** Asks an assistant as a channel would at the start of a chat. Stores nothing but the token usage. */
export async function tryPreset(deps: Deps, actor: Actor, trial: PresetTrial) {
  const { instructions, model: label, options, message } = trial
  const chat = await getCurrentModel(deps)
  if (!chat) throw new AppError('assistant.no_model')
  const calls: ModelCall[] = []
  const request = {
    label,
    turns: createPlainTurns({ instructions, history: [], question: message }),
    allowWebSearch: true,
    ...options,
    signal: AbortSignal.timeout(replyTimeout),
  }
  const startedAt = performance.now()
  let reply = ''
  try {
    for await (const text of askModel(chat, request, 'answer', calls)) reply += text
  } catch (error) {
    throw toAppError(error)
  } finally {
    for (const call of calls) await recordTestUsage(deps, actor, call)
  }
  const { actual } = chat.resolve(label)
  return { reply, model: actual, milliseconds: Math.round(performance.now() - startedAt) }
}
