import * as z from 'zod'
import { ModelError } from './port.ts'
import { errorEventFailure } from './read-answer.ts'
import { readServerEvents } from './server-events.ts'

const maxBadEvents = 3

const run = z.object({
  id: z.string(),
  model: z.string().nullish(),
  last_error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  usage: z
    .object({
      prompt_tokens: z.number(),
      completion_tokens: z.number(),
      prompt_token_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
    })
    .nullish(),
})
type Run = z.output<typeof run>

const content = z.array(
  z.object({
    type: z.string(),
    index: z.number().optional(),
    text: z.object({ value: z.string().nullish() }).nullish(),
  }),
)
const delta = z.object({ id: z.string(), delta: z.object({ content: content.nullish() }) })
const message = z.object({ id: z.string(), role: z.string().nullish(), content: content.nullish() })

export type RunEvent = { type: 'run'; runId: string; model: string | null } | { type: 'text'; text: string }

/** How a run came to its end; `isOver` is false as long as it waits for us at its server. */
export class RunFailed extends Error {
  readonly failure: ModelError
  readonly isOver: boolean
  constructor(failure: ModelError, isOver: boolean) {
    super(failure.message)
    this.failure = failure
    this.isOver = isOver
  }
}

export interface RunEnding {
  reason: 'stop' | 'length'
  usage: Run['usage']
}

function over(code: ModelError['code'], detail: string) {
  return new RunFailed(new ModelError(code, detail), true)
}

/** Null as long as the run goes on. */
function endingOf(event: string, { last_error, incomplete_details, usage }: Run): RunEnding | null {
  switch (event) {
    case 'thread.run.completed':
      return { reason: 'stop', usage }
    case 'thread.run.incomplete': {
      const reason = incomplete_details?.reason ?? 'no reason given'
      if (/^max_(?:completion|prompt)_tokens$/.test(reason)) return { reason: 'length', usage }
      throw over('assistant.unavailable', `the run ended early: ${reason}`)
    }
    case 'thread.run.failed':
      throw new RunFailed(errorEventFailure({ error: last_error ?? {} }), true)
    case 'thread.run.expired':
      throw over('assistant.timeout', 'the run expired')
    case 'thread.run.cancelled':
      throw over('assistant.unavailable', 'the run was cancelled at its server')
    case 'thread.run.requires_action':
      throw new RunFailed(new ModelError('assistant.wants_tools', 'the run asked for tools'), false)
    default:
      return null
  }
}

/** Joins the texts of a run: each message, and each part of one, begins a paragraph. */
function createJoiner() {
  let last: string | null = null
  const streamed = new Set<string>()
  function join(messageId: string, parts: z.output<typeof content>): string {
    let text = ''
    for (const { type, index = 0, text: part } of parts) {
      if (type !== 'text' || !part?.value) continue
      const place = `${messageId}/${index}`
      if (last !== null && last !== place) text += '\n\n'
      last = place
      text += part.value
    }
    return text
  }
  return {
    delta(payload: unknown): string {
      const { id, delta: changed } = delta.parse(payload)
      streamed.add(id)
      return join(id, changed.content ?? [])
    },
    /** The text of a message that did not come in pieces. */
    whole(payload: unknown): string {
      const { id, role, content: parts } = message.parse(payload)
      if (streamed.has(id) || role === 'user') return ''
      return join(
        id,
        (parts ?? []).map((part, index) => ({ ...part, index })),
      )
    },
  }
}

const textEvents: Record<string, 'delta' | 'whole'> = {
  'thread.message.delta': 'delta',
  'thread.message.completed': 'whole',
}

/** The texts of a run as they come. What is readable is passed on first; only then does anything wrong throw. */
export async function* readRun(body: ReadableStream<Uint8Array>): AsyncGenerator<RunEvent, RunEnding> {
  const joiner = createJoiner()
  let runId: string | null = null
  let badEvents = 0
  for await (const { event, data } of readServerEvents(body)) {
    if (event === 'done') break
    const known = textEvents[event]
    const isRun = /^thread\.run\.(?!step\.)/.test(event)
    if (!known && !isRun && event !== 'error') continue
    const text = { value: '' }
    let about: Run | null = null
    let payload: unknown
    try {
      payload = JSON.parse(data)
      if (known) text.value = joiner[known](payload)
      if (isRun) about = run.parse(payload)
    } catch {
      badEvents += 1
      if (badEvents >= maxBadEvents) throw unreadable('the stream held events that cannot be read')
      continue
    }
    if (event === 'error') throw new RunFailed(errorEventFailure(payload), false)
    if (text.value !== '') yield { type: 'text', text: text.value }
    if (!about) continue
    if (runId === null) {
      runId = about.id
      yield { type: 'run', runId, model: about.model ?? null }
    }
    const ending = endingOf(event, about)
    if (!ending) continue
    // The unreadable event may have held words, so the answer is not known to be whole.
    if (badEvents > 0) throw new RunFailed(unreadable('the stream held an event that cannot be read'), true)
    return ending
  }
  throw unreadable(
    badEvents > 0 ? 'the stream held an event that cannot be read' : 'the stream ended before the run did',
  )
}

function unreadable(why: string) {
  return new ModelError('assistant.unavailable', why)
}
