import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { ask, type EndedReply, type ReplyPart, type RunningReply, type TokenUsage } from '../programs/ask.ts'
import { requireModel } from '../programs/channel-models.ts'
import { locateCitations, presentCitations } from '../programs/citations.ts'
import type { ProgramCall, ProgramStream } from '../programs/program-call.ts'
import { buildErrorBody } from './error-body.ts'
import { readConversation, turn } from './turns.ts'

/** Parameters of sampling are accepted and have no effect: the settings of the channel apply. */
export const chatCompletionRequest = z.object({
  model: z.string(),
  messages: z.array(turn).min(1).max(1000),
  stream: z.nullish(z.boolean()),
  stream_options: z.nullish(z.object({ include_usage: z.nullish(z.boolean()) })),
  n: z.nullish(z.literal(1, 'Only one reply can be requested')),
  tools: z.nullish(z.array(z.unknown()).max(0, 'Tools are not supported')),
  functions: z.nullish(z.array(z.unknown()).max(0, 'Functions are not supported')),
  response_format: z.nullish(z.object({ type: z.literal('text', 'Only text is supported') })),
  logprobs: z.nullish(z.literal(false, 'Log probabilities are not supported')),
  modalities: z.nullish(z.array(z.literal('text', 'Only text is supported'))),
})

type ChatCompletionRequest = z.output<typeof chatCompletionRequest>

function presentUsage({ input, output }: TokenUsage) {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}

function presentSources(deps: Deps, { address }: RunningReply, { reply }: EndedReply) {
  const citations = presentCitations(deps, address, reply)
  return {
    citations,
    annotations: locateCitations(reply.content, citations).map((place) => ({
      type: 'url_citation',
      url_citation: place,
    })),
  }
}

function getFinishReason({ isCut }: EndedReply): 'length' | 'stop' {
  return isCut ? 'length' : 'stop'
}

async function collect(deps: Deps, running: RunningReply, envelope: object): Promise<object> {
  for await (const part of running.parts) {
    if (part.type !== 'end') continue
    const { citations, annotations } = presentSources(deps, running, part)
    const { content, mode } = part.reply
    return {
      ...envelope,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          // The text is also in `content`, because most clients show nothing else.
          message: { role: 'assistant', content, refusal: mode === 'refusal' ? content : null, annotations },
          logprobs: null,
          finish_reason: getFinishReason(part),
        },
      ],
      usage: presentUsage(part.usage),
      citations,
    }
  }
  throw new AppError('chat.interrupted')
}

function formatChunk(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}

async function* stream(
  deps: Deps,
  running: RunningReply,
  { envelope, includesUsage }: { envelope: object; includesUsage: boolean },
): AsyncGenerator<string> {
  function build(delta: object, finishReason: string | null, more: object = {}): string {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }]
    return formatChunk({
      ...envelope,
      object: 'chat.completion.chunk',
      choices,
      ...(includesUsage ? { usage: null } : {}),
      ...more,
    })
  }
  const parts = running.parts[Symbol.asyncIterator]()
  // Until here, a failure still becomes an ordinary error response.
  let next: IteratorResult<ReplyPart> = await parts.next()
  yield build({ role: 'assistant', content: '', refusal: null }, null)
  try {
    for (; !next.done; next = await parts.next()) {
      if (next.value.type === 'text') {
        yield build({ content: next.value.text }, null)
        continue
      }
      const { citations, annotations } = presentSources(deps, running, next.value)
      yield build({ annotations }, getFinishReason(next.value), { citations })
      if (includesUsage)
        yield formatChunk({
          ...envelope,
          object: 'chat.completion.chunk',
          choices: [],
          usage: presentUsage(next.value.usage),
        })
    }
    yield 'data: [DONE]\n\n'
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    yield formatChunk(buildErrorBody(error, running.replyId))
  }
}

export async function createChatCompletion(
  deps: Deps,
  { access, signal, startMessage }: ProgramCall,
  request: ChatCompletionRequest,
): Promise<object | ProgramStream> {
  const channel = await requireModel(deps, access, request.model)
  const conversation = readConversation(request.messages, 'messages')
  const running = await startMessage(() => ask(deps, access, { channel, ...conversation, signal }))
  const envelope = {
    id: `chatcmpl-${running.replyId}`,
    created: Math.floor(deps.now() / 1000),
    model: request.model,
    system_fingerprint: null,
  }
  if (!request.stream) return collect(deps, running, envelope)
  const includesUsage = request.stream_options?.include_usage ?? false
  return { chunks: stream(deps, running, { envelope, includesUsage }), recheck: running.recheck }
}
