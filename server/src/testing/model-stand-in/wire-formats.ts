import { readMessages } from './conversation.ts'

/** An event of a stream. */
export interface Frame {
  event?: string
  data: string
  /** True for events that carry a piece of the answer. */
  isPiece: boolean
}

export interface Reply {
  body: Record<string, unknown>
  pieces: readonly string[]
  finishReason: string | null
  withUsage: boolean
  /** Reported as each kind of tokens. */
  tokens?: number
}

const created = 1_790_000_000

function countTokens(reply: Reply) {
  if (reply.tokens !== undefined) return { input: reply.tokens, output: reply.tokens }
  const input = readMessages(reply.body).reduce((sum, { content }) => sum + Math.ceil(content.length / 4), 0)
  return { input, output: reply.pieces.length }
}

function toChatUsage(reply: Reply) {
  const { input, output } = countTokens(reply)
  const { tokens } = reply
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: tokens ?? 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: tokens ?? 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

export function toChatJson(reply: Reply) {
  return {
    id: 'chatcmpl-standin',
    object: 'chat.completion',
    created,
    model: reply.body['model'],
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: reply.pieces.join(''), refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: reply.finishReason,
      },
    ],
    ...(reply.withUsage ? { usage: toChatUsage(reply) } : {}),
  }
}

function wantsUsage(body: Record<string, unknown>): boolean {
  const options = body['stream_options']
  return (
    typeof options === 'object' &&
    options !== null &&
    'include_usage' in options &&
    options.include_usage === true
  )
}

export function* toChatFrames(reply: Reply): Generator<Frame> {
  const base = {
    id: 'chatcmpl-standin',
    object: 'chat.completion.chunk',
    created,
    model: reply.body['model'],
  }
  function chunk(delta: object, finishReason: string | null, isPiece = false): Frame {
    return {
      data: JSON.stringify({
        ...base,
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
        ...(wantsUsage(reply.body) ? { usage: null } : {}),
      }),
      isPiece,
    }
  }
  yield chunk({ role: 'assistant', content: '', refusal: null }, null)
  for (const content of reply.pieces) yield chunk({ content }, null, true)
  if (reply.finishReason !== null) yield chunk({}, reply.finishReason)
  if (reply.withUsage && wantsUsage(reply.body)) {
    yield {
      data: JSON.stringify({ ...base, choices: [], usage: toChatUsage(reply) }),
      isPiece: false,
    }
  }
}

const messageId = 'msg_standin'

function createResponseObject(reply: Reply, status: string) {
  const text = reply.pieces.join('')
  const { input, output } = countTokens(reply)
  const isDone = status !== 'in_progress'
  return {
    id: 'resp_standin',
    object: 'response',
    created_at: created,
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    model: reply.body['model'],
    output: isDone
      ? [
          {
            type: 'message',
            id: messageId,
            status: 'completed',
            role: 'assistant',
            content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
          },
        ]
      : [],
    usage:
      isDone && reply.withUsage
        ? {
            input_tokens: input,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: input + output,
          }
        : null,
  }
}

function getFinalStatus(reply: Reply) {
  return reply.finishReason === 'length' ? 'incomplete' : 'completed'
}

export function toResponseJson(reply: Reply) {
  return createResponseObject(reply, getFinalStatus(reply))
}

export function* toResponseFrames(reply: Reply): Generator<Frame> {
  let sequence = 0
  function frame(type: string, fields: object, isPiece = false): Frame {
    return {
      event: type,
      data: JSON.stringify({ type, sequence_number: sequence++, ...fields }),
      isPiece,
    }
  }
  const position = { item_id: messageId, output_index: 0, content_index: 0 }
  const message = { type: 'message', id: messageId, status: 'in_progress', role: 'assistant', content: [] }
  const text = reply.pieces.join('')
  const part = { type: 'output_text', text, annotations: [], logprobs: [] }
  yield frame('response.created', { response: createResponseObject(reply, 'in_progress') })
  yield frame('response.in_progress', { response: createResponseObject(reply, 'in_progress') })
  yield frame('response.output_item.added', { output_index: 0, item: message })
  yield frame('response.content_part.added', { ...position, part: { ...part, text: '' } })
  for (const delta of reply.pieces) {
    yield frame('response.output_text.delta', { ...position, delta, logprobs: [] }, true)
  }
  if (reply.finishReason === null) return
  yield frame('response.output_text.done', { ...position, text, logprobs: [] })
  yield frame('response.content_part.done', { ...position, part })
  yield frame('response.output_item.done', {
    output_index: 0,
    item: { ...message, status: 'completed', content: [part] },
  })
  const status = getFinalStatus(reply)
  yield frame(`response.${status}`, { response: createResponseObject(reply, status) })
}
