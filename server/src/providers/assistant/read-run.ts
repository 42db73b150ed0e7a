import * as z from 'zod'
import { ModelError } from './port.ts'
import { convertErrorEvent, maxBadEvents } from './read-answer.ts'
import { readServerEvents } from './server-events.ts'

const runSchema = z.object({
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
type Run = z.output<typeof runSchema>

const contentSchema = z.array(
  z.object({
    type: z.string(),
    index: z.number().optional(),
    text: z.object({ value: z.string().nullish() }).nullish(),
  }),
)
const deltaSchema = z.object({ id: z.string(), delta: z.object({ content: contentSchema.nullish() }) })
const messageSchema = z.object({
  id: z.string(),
  role: z.string().nullish(),
  content: contentSchema.nullish(),
})

export type RunEvent = { type: 'run'; runId: string; model: string | null } | { type: 'text'; text: string }

/** The run failed. `isOver` is false if the run is still open on the server and must be cancelled. */
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
  /** Unreadable events that were skipped. */
  badEvents: number
}

function createFinalError(code: ModelError['code'], detail: string) {
  return new RunFailed(new ModelError(code, detail), true)
}

/** Returns null while the run continues. */
function readRunEnding(
  event: string,
  { last_error, incomplete_details, usage }: Run,
): Omit<RunEnding, 'badEvents'> | null {
  switch (event) {
    case 'thread.run.completed':
      return { reason: 'stop', usage }
    case 'thread.run.incomplete': {
      const reason = incomplete_details?.reason
      if (/^max_(?:completion|prompt)_tokens$/.test(reason ?? '')) return { reason: 'length', usage }
      throw createFinalError('assistant.unavailable', `the run ended early${reason ? `: ${reason}` : ''}`)
    }
    case 'thread.run.failed':
      throw new RunFailed(convertErrorEvent({ error: last_error ?? {} }), true)
    case 'thread.run.expired':
      throw createFinalError('assistant.timeout', 'the run expired')
    case 'thread.run.cancelled':
      throw createFinalError('assistant.unavailable', 'the run was cancelled on its server')
    case 'thread.run.requires_action':
      throw new RunFailed(new ModelError('assistant.wants_tools', 'the run asked for tools'), false)
    default:
      return null
  }
}

/** Joins the texts of a run. Each message and each part of a message starts a new paragraph. */
function createTextJoiner() {
  let last: string | null = null
  const streamed = new Set<string>()
  function join(messageId: string, parts: z.output<typeof contentSchema>): string {
    let text = ''
    for (const { type, index = 0, text: part } of parts) {
      if (type !== 'text' || !part?.value) continue
      const partKey = `${messageId}/${index}`
      if (last !== null && last !== partKey) text += '\n\n'
      last = partKey
      text += part.value
    }
    return text
  }
  return {
    delta(payload: unknown): string {
      const { id, delta } = deltaSchema.parse(payload)
      streamed.add(id)
      return join(id, delta.content ?? [])
    },
    /** Returns the text of a message that was not streamed. */
    whole(payload: unknown): string {
      const { id, role, content: parts } = messageSchema.parse(payload)
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

/** Yields the text of a run as it arrives. Errors are thrown only after all readable text has been yielded. */
export async function* readRun(body: ReadableStream<Uint8Array>): AsyncGenerator<RunEvent, RunEnding> {
  const joiner = createTextJoiner()
  let runId: string | null = null
  let badEvents = 0
  for await (const { event, data } of readServerEvents(body)) {
    if (event === 'done') break
    const textKind = textEvents[event]
    const isRun = /^thread\.run\.(?!step\.)/.test(event)
    if (!textKind && !isRun && event !== 'error') continue
    let text = ''
    let runState: Run | null = null
    let payload: unknown
    try {
      payload = JSON.parse(data)
      if (textKind) text = joiner[textKind](payload)
      if (isRun) runState = runSchema.parse(payload)
    } catch {
      badEvents += 1
      if (badEvents > maxBadEvents) throw createUnavailableError('the stream contained unreadable events')
      continue
    }
    if (event === 'error') throw new RunFailed(convertErrorEvent(payload), false)
    if (text !== '') yield { type: 'text', text }
    if (!runState) continue
    if (runId === null) {
      runId = runState.id
      yield { type: 'run', runId, model: runState.model ?? null }
    }
    const ending = readRunEnding(event, runState)
    if (!ending) continue
    return { ...ending, badEvents }
  }
  throw createUnavailableError(
    badEvents > 0 ? 'the stream contained an unreadable event' : 'the stream ended before the run did',
  )
}

function createUnavailableError(why: string) {
  return new ModelError('assistant.unavailable', why)
}
