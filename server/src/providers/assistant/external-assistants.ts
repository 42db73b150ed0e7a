import * as z from 'zod'
import { type Deadline, startDeadline, type Timeouts } from './deadline.ts'
import type { AssistantsEndpoint } from './endpoint.ts'
import { estimateTokens } from './estimate.ts'
import { findCause, JsonInsteadOfStream, toModelError } from './failure.ts'
import {
  type ExternalAssistants,
  ModelError,
  type ModelUsage,
  type ThreadEvent,
  type ThreadRequest,
} from './port.ts'
import { type RunEnding, RunFailed, readRun } from './read-run.ts'
import type { Report } from './report.ts'
import { createMarkFilter } from './source-marks.ts'
import { createThreadClient, withinTime } from './thread-client.ts'
import type { Wire } from './wire.ts'

/** The protocol lets a thread begin with so many messages. */
const messagesAtOnce = 32
const findTime = 5000
const cancelTime = 10_000

const identified = z.object({ id: z.string() })
const described = z.object({ name: z.string().nullish() })
const runList = z.object({ data: z.array(z.object({ id: z.string(), status: z.string() })) })
const openStates = ['queued', 'in_progress', 'requires_action']

export interface ExternalAssistantsParts {
  endpoint: AssistantsEndpoint
  wire: Wire
  timeouts: Timeouts
  report: Report
}

/** A run as far as it is known. */
interface TrackedRun {
  threadId: string
  runId: string | null
  /** It may go on at its server until someone ends it. */
  isOpen: boolean
}

function usageOf({ usage }: RunEnding, request: ThreadRequest, text: string): ModelUsage {
  const said = [...request.history.map(({ content }) => content), request.question].join('\n')
  return {
    input: usage?.prompt_tokens ?? estimateTokens(said),
    cached: usage?.prompt_token_details?.cached_tokens ?? 0,
    cacheWrite: 0,
    output: usage?.completion_tokens ?? estimateTokens(text),
    reasoning: 0,
    estimated: !usage,
  }
}

/** The newest of what was said, beginning with the person, and the question. */
function openingOf({ history, question }: ThreadRequest) {
  const recent = history.slice(-(messagesAtOnce - 1))
  const from = recent.findIndex(({ role }) => role === 'user')
  const kept = from < 0 ? [] : recent.slice(from)
  return [...kept.map(({ role, content }) => ({ role, content })), { role: 'user', content: question }]
}

/** The wire says so of everything that answers 404. */
function isMissing(error: unknown): error is ModelError {
  return error instanceof ModelError && error.code === 'assistant.not_configured'
}

/** Assistants on a server that speaks the Assistants protocol: threads, messages, and runs that are streamed. */
export function createExternalAssistants(parts: ExternalAssistantsParts): ExternalAssistants {
  const { endpoint, timeouts, report } = parts
  const client = createThreadClient(endpoint, parts.wire, (detail) => report.retry('assistants', detail))
  function post(deadline: Deadline, path: readonly string[], body: object) {
    return client.json({ method: 'POST', path, body, deadline })
  }

  async function newThread(request: ThreadRequest, deadline: Deadline): Promise<string> {
    return identified.parse(await post(deadline, ['threads'], { messages: openingOf(request) })).id
  }

  /** The thread that ends with the question: the given one, or a new one when that is gone. */
  async function threadFor(request: ThreadRequest, deadline: Deadline): Promise<string> {
    const { threadId, question } = request
    if (threadId === null) return newThread(request, deadline)
    try {
      await post(deadline, ['threads', threadId, 'messages'], { role: 'user', content: question })
      return threadId
    } catch (error) {
      if (!isMissing(error)) throw error
      return newThread(request, deadline)
    }
  }

  async function startRun(threadId: string, assistantId: string, deadline: Deadline) {
    const body = { assistant_id: assistantId, stream: true }
    try {
      return await client.events({ method: 'POST', path: ['threads', threadId, 'runs'], body, deadline })
    } catch (error) {
      if (!(error instanceof ModelError) || deadline.signal.aborted) throw error
      // The thread has just taken a message, so what is missing is the assistant.
      const failure = isMissing(error) ? new ModelError('assistant.gone', error.detail) : error
      // What was refused has not begun.
      throw new RunFailed(failure, true)
    }
  }

  async function newestRun(threadId: string, deadline: Deadline): Promise<string | null> {
    const query = { limit: '1', order: 'desc' }
    const list = await client.json({ method: 'GET', path: ['threads', threadId, 'runs'], query, deadline })
    const [newest] = runList.parse(list).data
    return newest && openStates.includes(newest.status) ? newest.id : null
  }

  function cancel({ threadId, runId }: TrackedRun): Promise<void> {
    return withinTime(cancelTime, new AbortController().signal, async (deadline) => {
      const id = runId ?? (await newestRun(threadId, deadline))
      if (id !== null) await post(deadline, ['threads', threadId, 'runs', id, 'cancel'], {})
    }).catch((error: unknown) => report.failure('assistants', toModelError(error, endpoint.apiKey)))
  }

  async function* answer(
    request: ThreadRequest,
    deadline: Deadline,
    run: TrackedRun,
  ): AsyncGenerator<ThreadEvent> {
    const { threadId } = run
    const marks = createMarkFilter()
    let text = ''
    const events = readRun(await startRun(threadId, request.assistantId, deadline))
    for (;;) {
      const { done, value } = await events.next()
      if (done) {
        run.isOpen = false
        const rest = marks.end()
        if (rest.trim() !== '') yield { type: 'text', text: rest }
        if ((text + rest).trim() === '') throw new ModelError('assistant.unavailable', 'the answer is empty')
        yield { type: 'finish', reason: value.reason, usage: usageOf(value, request, text + rest) }
        return
      }
      if (value.type === 'run') {
        run.runId = value.runId
        yield { type: 'started', threadId, model: value.model }
        continue
      }
      deadline.outputBegan()
      const clean = marks.push(value.text)
      text += clean
      if (clean !== '') yield { type: 'text', text: clean }
    }
  }

  /** What the port promises to throw. */
  function failureOf(error: unknown): ModelError {
    if (error instanceof RunFailed) return toModelError(error.failure, endpoint.apiKey)
    if (findCause(error, JsonInsteadOfStream))
      return new ModelError('assistant.unavailable', 'the endpoint does not stream its runs')
    return toModelError(error, endpoint.apiKey)
  }

  return {
    async find(assistantId, signal) {
      try {
        return await withinTime(findTime, signal, async (deadline) => {
          const path = ['assistants', assistantId]
          const { name } = described.parse(await client.json({ method: 'GET', path, deadline }))
          return { name: name?.trim() || null }
        })
      } catch (error) {
        signal.throwIfAborted()
        if (isMissing(error)) return null
        throw toModelError(error, endpoint.apiKey)
      }
    },

    async *reply(request) {
      request.signal.throwIfAborted()
      // An assistant may look things up before its first word: it is given the time of a model that thinks.
      const deadline = startDeadline(timeouts, true, request.signal)
      let run: TrackedRun | null = null
      try {
        run = { threadId: await threadFor(request, deadline), runId: null, isOpen: true }
        yield* answer(request, deadline, run)
      } catch (error) {
        if (run && error instanceof RunFailed && error.isOver) run.isOpen = false
        request.signal.throwIfAborted()
        const failure = deadline.expired() ?? failureOf(error)
        report.failure(`assistant ${request.assistantId}`, failure)
        throw failure
      } finally {
        deadline.end()
        // Not waited for: whoever stopped the reply is not kept waiting by the server.
        if (run?.isOpen) void cancel(run)
      }
    },
  }
}
