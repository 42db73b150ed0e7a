import * as z from 'zod'
import { type Deadline, startDeadline, type Timeouts } from './deadline.ts'
import type { AssistantsEndpoint } from './endpoint.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { findCause, JsonInsteadOfStream, toModelError } from './model-errors.ts'
import {
  type ExternalAssistants,
  ModelError,
  type ModelUsage,
  type ThreadEvent,
  type ThreadRequest,
} from './port.ts'
import { type RunEnding, RunFailed, readRun } from './read-run.ts'
import type { Report } from './report.ts'
import { createSourceMarkFilter } from './source-marks.ts'
import { createThreadClient, withTimeout } from './thread-client.ts'
import { readTokenCount } from './token-count.ts'
import type { Transport } from './transport.ts'

/** The API's limit for the messages of a new thread. */
const maxInitialMessages = 32
const findTimeoutMs = 5000
const cancelTimeoutMs = 10_000

const idSchema = z.object({ id: z.string() })
const assistantSchema = z.object({ name: z.string().nullish() })
const runListSchema = z.object({ data: z.array(z.object({ id: z.string(), status: z.string() })) })
const activeStatuses = ['queued', 'in_progress', 'requires_action']

export interface ExternalAssistantsOptions {
  endpoint: AssistantsEndpoint
  transport: Transport
  timeouts: Timeouts
  report: Report
}

/** What is known about a run. */
interface TrackedRun {
  threadId: string
  runId: string | null
  /** The run may continue on the server until it is cancelled. */
  mayBeRunning: boolean
}

function toUsage({ usage }: RunEnding, request: ThreadRequest, text: string): ModelUsage {
  const conversation = [...request.history.map(({ content }) => content), request.question].join('\n')
  const input = readTokenCount(usage?.prompt_tokens)
  const output = readTokenCount(usage?.completion_tokens)
  return {
    input: input ?? estimateTokens(conversation),
    cached: readTokenCount(usage?.prompt_token_details?.cached_tokens) ?? 0,
    cacheWrite: 0,
    output: output ?? estimateTokens(text),
    reasoning: 0,
    estimated: input === undefined || output === undefined,
  }
}

/** The newest messages that fit, starting with a user message, followed by the question. */
function createInitialMessages({ history, question }: ThreadRequest) {
  const recent = history.slice(-(maxInitialMessages - 1))
  const from = recent.findIndex(({ role }) => role === 'user')
  const initial = from < 0 ? [] : recent.slice(from)
  return [...initial.map(({ role, content }) => ({ role, content })), { role: 'user', content: question }]
}

/** The transport uses this code for every 404. */
function isNotFound(error: unknown): error is ModelError {
  return error instanceof ModelError && error.code === 'assistant.not_configured'
}

/** Uses assistants on a server with the Assistants API: threads, messages and streamed runs. */
export function createExternalAssistants(options: ExternalAssistantsOptions): ExternalAssistants {
  const { endpoint, timeouts, report } = options
  const client = createThreadClient(endpoint, options.transport, (detail) =>
    report.retry('assistants', detail),
  )
  function post(deadline: Deadline, path: readonly string[], body: object) {
    return client.fetchJson({ method: 'POST', path, body, deadline })
  }

  async function createThread(request: ThreadRequest, deadline: Deadline): Promise<string> {
    return idSchema.parse(await post(deadline, ['threads'], { messages: createInitialMessages(request) })).id
  }

  /** Adds the question to the given thread, or to a new one if that is gone. Returns the thread's id. */
  async function addQuestion(request: ThreadRequest, deadline: Deadline): Promise<string> {
    const { threadId, question } = request
    if (threadId === null) return createThread(request, deadline)
    try {
      await post(deadline, ['threads', threadId, 'messages'], { role: 'user', content: question })
      return threadId
    } catch (error) {
      if (!isNotFound(error)) throw error
      return createThread(request, deadline)
    }
  }

  async function startRun(threadId: string, assistantId: string, deadline: Deadline) {
    const body = { assistant_id: assistantId, stream: true }
    try {
      return await client.fetchEvents({ method: 'POST', path: ['threads', threadId, 'runs'], body, deadline })
    } catch (error) {
      if (!(error instanceof ModelError) || deadline.signal.aborted) throw error
      // The thread has just accepted a message, so the assistant is missing.
      const failure = isNotFound(error) ? new ModelError('assistant.gone', error.detail) : error
      // A refused run has not started, so there is nothing to cancel.
      throw new RunFailed(failure, true)
    }
  }

  async function findOpenRun(threadId: string, deadline: Deadline): Promise<string | null> {
    const query = { limit: '1', order: 'desc' }
    const list = await client.fetchJson({
      method: 'GET',
      path: ['threads', threadId, 'runs'],
      query,
      deadline,
    })
    const [newest] = runListSchema.parse(list).data
    return newest && activeStatuses.includes(newest.status) ? newest.id : null
  }

  function cancel({ threadId, runId }: TrackedRun): Promise<void> {
    return withTimeout(cancelTimeoutMs, new AbortController().signal, async (deadline) => {
      const id = runId ?? (await findOpenRun(threadId, deadline))
      if (id !== null) await post(deadline, ['threads', threadId, 'runs', id, 'cancel'], {})
    }).catch((error: unknown) => report.failure('assistants', toModelError(error, endpoint.apiKey)))
  }

  async function* streamAnswer(
    request: ThreadRequest,
    deadline: Deadline,
    run: TrackedRun,
  ): AsyncGenerator<ThreadEvent> {
    const { threadId } = run
    const marks = createSourceMarkFilter()
    let text = ''
    const events = readRun(await startRun(threadId, request.assistantId, deadline))
    for (;;) {
      const { done, value } = await events.next()
      if (done) {
        run.mayBeRunning = false
        report.badEvents(`assistant ${request.assistantId}`, value.badEvents)
        const rest = marks.end()
        if (rest.trim() !== '') yield { type: 'text', text: rest }
        if ((text + rest).trim() === '') throw new ModelError('assistant.unavailable', 'the answer is empty')
        yield { type: 'finish', reason: value.reason, usage: toUsage(value, request, text + rest) }
        return
      }
      if (value.type === 'run') {
        run.runId = value.runId
        yield { type: 'started', threadId, model: value.model }
        continue
      }
      deadline.markOutputStarted()
      const clean = marks.push(value.text)
      text += clean
      if (clean !== '') yield { type: 'text', text: clean }
    }
  }

  /** Converts any failure to the error that the port promises. */
  function toFailure(error: unknown): ModelError {
    if (error instanceof RunFailed) return toModelError(error.failure, endpoint.apiKey)
    if (findCause(error, JsonInsteadOfStream))
      return new ModelError('assistant.unavailable', 'the endpoint does not stream its runs')
    return toModelError(error, endpoint.apiKey)
  }

  return {
    async find(assistantId, signal) {
      try {
        return await withTimeout(findTimeoutMs, signal, async (deadline) => {
          const path = ['assistants', assistantId]
          const { name } = assistantSchema.parse(await client.fetchJson({ method: 'GET', path, deadline }))
          return { name: name?.trim() || null }
        })
      } catch (error) {
        signal.throwIfAborted()
        if (isNotFound(error)) return null
        throw toModelError(error, endpoint.apiKey)
      }
    },

    async *reply(request) {
      request.signal.throwIfAborted()
      // An assistant may use tools before its first output, so it gets the timeout of reasoning models.
      const deadline = startDeadline(timeouts, true, request.signal)
      let run: TrackedRun | null = null
      try {
        run = { threadId: await addQuestion(request, deadline), runId: null, mayBeRunning: true }
        yield* streamAnswer(request, deadline, run)
      } catch (error) {
        if (run && error instanceof RunFailed && error.isOver) run.mayBeRunning = false
        request.signal.throwIfAborted()
        const failure = deadline.getTimeoutError() ?? toFailure(error)
        const isMissing = failure.code === 'assistant.gone' || isNotFound(failure)
        report[isMissing ? 'missingAssistant' : 'failure'](`assistant ${request.assistantId}`, failure)
        throw failure
      } finally {
        deadline.end()
        // Not awaited, so that stopping a reply does not wait for the server.
        if (run?.mayBeRunning) void cancel(run)
      }
    },
  }
}
