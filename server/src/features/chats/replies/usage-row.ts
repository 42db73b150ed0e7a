import { uuidv7 } from 'uuidv7'
import { extractiveModel, getCallUsage, type ModelCall } from '#providers/assistant/model-calls.ts'
import type { Deps } from '../../../deps.ts'

interface Owner {
  /** Null for a call that is not part of a reply. */
  messageId: string | null
  userId: string
  channelId: string
}

/** The row that records the token usage of a model call. */
export function buildUsageRow(
  deps: Pick<Deps, 'now'>,
  call: ModelCall,
  { messageId, userId, channelId }: Owner,
) {
  const { input, cached, cacheWrite, output, reasoning, estimated } = getCallUsage(call)
  return {
    id: uuidv7(),
    message_id: messageId,
    user_id: userId,
    channel_id: channelId,
    purpose: call.purpose,
    requested_model: call.requested,
    actual_model: call.actual,
    input,
    cached,
    cache_write: cacheWrite,
    output,
    reasoning,
    // Extractive replies are free; the price of a model call is unknown.
    cost: call.actual === extractiveModel ? 0 : null,
    estimated: estimated ? (1 as const) : (0 as const),
    created_at: deps.now(),
  }
}
