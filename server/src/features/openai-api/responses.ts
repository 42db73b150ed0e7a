import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { ask, type EndedReply, type ReplyPart, type RunningReply } from '../programs/ask.ts'
import { requireModel } from '../programs/channel-models.ts'
import { locateCitations, presentCitations } from '../programs/citations.ts'
import type { ProgramCall, ProgramStream } from '../programs/program-call.ts'
import { buildErrorBody } from './error-body.ts'
import { readConversation, turn } from './turns.ts'

const idPrefix = 'resp_'

const inputItem = turn.extend({ type: z.optional(z.literal('message', 'Only messages are supported')) })

/** Parameters of sampling are accepted and have no effect: the settings of the channel apply. */
export const responseRequest = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(inputItem).min(1).max(1000)]),
  stream: z.nullish(z.boolean()),
  previous_response_id: z.nullish(
    z.string().startsWith(idPrefix, 'This is not the id of a response').max(100),
  ),
  tools: z.nullish(z.array(z.unknown()).max(0, 'Tools are not supported')),
  background: z.nullish(z.literal(false, 'Responses in the background are not supported')),
  text: z.nullish(
    z.object({ format: z.nullish(z.object({ type: z.literal('text', 'Only text is supported') })) }),
  ),
})
type ResponseRequest = z.output<typeof responseRequest>

interface Envelope {
  id: string
  created_at: number
  model: string
  previous_response_id: string | null
}

/** The fields that clients expect in every response. */
function buildResponse(envelope: Envelope, status: string, more: object) {
  return {
    ...envelope,
    object: 'response',
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    parallel_tool_calls: false,
    temperature: null,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    output: [],
    usage: null,
    ...more,
  }
}

function buildText(text: string, annotations: readonly object[]) {
  return { type: 'output_text', text, annotations, logprobs: [] }
}

function buildMessage({ replyId }: RunningReply, status: string, content: readonly object[]) {
  return { type: 'message', id: `msg_${replyId}`, role: 'assistant', status, content }
}

function buildEnd(deps: Deps, running: RunningReply, envelope: Envelope, ended: EndedReply) {
  const { reply, usage, isCut } = ended
  const citations = presentCitations(deps, running.address, reply)
  const annotations = locateCitations(reply.content, citations).map((place) => ({
    type: 'url_citation',
    ...place,
  }))
  const status = isCut ? 'incomplete' : 'completed'
  const part = buildText(reply.content, annotations)
  const item = buildMessage(running, status, [part])
  const response = buildResponse(envelope, status, {
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output: [item],
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    },
    citations,
  })
  return { annotations, part, item, response }
}

async function collect(deps: Deps, running: RunningReply, envelope: Envelope): Promise<object> {
  for await (const part of running.parts)
    if (part.type === 'end') return buildEnd(deps, running, envelope, part).response
  throw new AppError('chat.interrupted')
}

function createEventWriter() {
  let sequence = 0
  return (type: string, fields: object): string => {
    const event = { type, sequence_number: sequence, ...fields }
    sequence += 1
    return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`
  }
}

async function* stream(deps: Deps, running: RunningReply, envelope: Envelope): AsyncGenerator<string> {
  const write = createEventWriter()
  const place = { item_id: `msg_${running.replyId}`, output_index: 0, content_index: 0 }
  const parts = running.parts[Symbol.asyncIterator]()
  // Until here, a failure still becomes an ordinary error response.
  let next: IteratorResult<ReplyPart> = await parts.next()
  const begun = buildResponse(envelope, 'in_progress', {})
  yield write('response.created', { response: begun })
  yield write('response.in_progress', { response: begun })
  yield write('response.output_item.added', {
    output_index: 0,
    item: buildMessage(running, 'in_progress', []),
  })
  yield write('response.content_part.added', { ...place, part: buildText('', []) })
  try {
    for (; !next.done; next = await parts.next()) {
      if (next.value.type === 'text') {
        yield write('response.output_text.delta', { ...place, delta: next.value.text, logprobs: [] })
        continue
      }
      const { annotations, part, item, response } = buildEnd(deps, running, envelope, next.value)
      for (const [index, annotation] of annotations.entries())
        yield write('response.output_text.annotation.added', {
          ...place,
          annotation_index: index,
          annotation,
        })
      yield write('response.output_text.done', { ...place, text: part.text, logprobs: [] })
      yield write('response.content_part.done', { ...place, part })
      yield write('response.output_item.done', { output_index: 0, item })
      yield write(next.value.isCut ? 'response.incomplete' : 'response.completed', { response })
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { message, code } = buildErrorBody(error, running.replyId).error
    yield write('response.failed', {
      response: buildResponse(envelope, 'failed', { error: { code: 'server_error', message } }),
    })
    yield write('error', { code, message, param: null })
  }
}

function readInput({ input }: ResponseRequest) {
  return readConversation(typeof input === 'string' ? [{ role: 'user', content: input }] : input, 'input')
}

export async function createResponse(
  deps: Deps,
  { access, signal, startMessage }: ProgramCall,
  request: ResponseRequest,
): Promise<object | ProgramStream> {
  const channel = await requireModel(deps, access, request.model)
  const previous = request.previous_response_id ?? null
  const question = {
    channel,
    ...readInput(request),
    signal,
    previousReplyId: previous?.slice(idPrefix.length),
  }
  const running = await startMessage(() => ask(deps, access, question))
  const envelope = {
    id: `${idPrefix}${running.replyId}`,
    created_at: Math.floor(deps.now() / 1000),
    model: request.model,
    previous_response_id: previous,
  }
  if (!request.stream) return collect(deps, running, envelope)
  return { chunks: stream(deps, running, envelope), recheck: running.recheck }
}
