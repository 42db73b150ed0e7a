import { createAnswerText, splitIntoPieces } from './answers.ts'
import type { Behavior, CallKind } from './behavior.ts'
import type { Message } from './conversation.ts'
import * as send from './send.ts'
import type { Frame } from './wire-formats.ts'

export interface StandInAssistant {
  name: string
  model: string
  instructions: string
}

interface Run {
  id: string
  status: string
}

interface Thread {
  id: string
  messages: Message[]
  runs: Run[]
}

interface StandInRequest {
  method: string
  path: string
  body: Record<string, unknown>
}

const created = 1_790_000_000
const eventNames: send.EventNames = { error: 'error', text: 'thread.message.delta', done: 'done' }

function readMessage(value: unknown): Message {
  const { role, content } = value as { role?: unknown; content?: unknown }
  return { role: String(role), content: String(content) }
}

function textPart(value: string) {
  return { type: 'text', text: { value, annotations: [] } }
}

function runObject(run: Run, thread: Thread, assistantId: string, extra: object) {
  return {
    id: run.id,
    object: 'thread.run',
    created_at: created,
    assistant_id: assistantId,
    thread_id: thread.id,
    status: run.status,
    required_action: null,
    last_error: null,
    incomplete_details: null,
    usage: null,
    ...extra,
  }
}

function getRunEnd({ run: end }: Behavior): { status: string; extra: object } {
  if (!end) return { status: 'completed', extra: {} }
  switch (end.status) {
    case 'failed':
      return {
        status: 'failed',
        extra: { last_error: { code: end.code, message: end.message ?? 'Something went wrong' } },
      }
    case 'incomplete':
      return { status: 'incomplete', extra: { incomplete_details: { reason: end.reason } } }
    case 'requires_action': {
      const call = { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{}' } }
      return {
        status: 'requires_action',
        extra: {
          required_action: { type: 'submit_tool_outputs', submit_tool_outputs: { tool_calls: [call] } },
        },
      }
    }
    default:
      return { status: end.status, extra: {} }
  }
}

/** Yields the events of one run, named and ordered as in the real API. */
function* runFrames(
  thread: Thread,
  run: Run,
  {
    assistantId,
    assistant,
    pieces,
  }: { assistantId: string; assistant: StandInAssistant; pieces: readonly string[] },
  behavior: Behavior,
): Generator<Frame> {
  function frame(event: string, data: object, isPiece = false): Frame {
    return {
      event,
      data: JSON.stringify(data),
      isPiece,
    }
  }
  const { model } = assistant
  function toRunObject(extra: object = {}) {
    return runObject(run, thread, assistantId, { model, ...extra })
  }
  const messageId = `msg_${run.id}`
  const message = {
    id: messageId,
    object: 'thread.message',
    role: 'assistant',
    thread_id: thread.id,
    run_id: run.id,
  }
  const step = { id: `step_${run.id}`, object: 'thread.run.step', type: 'message_creation', run_id: run.id }
  yield frame('thread.run.created', toRunObject())
  yield frame('thread.run.queued', toRunObject())
  yield frame('thread.run.in_progress', toRunObject({ status: 'in_progress' }))
  yield frame('thread.run.step.created', { ...step, status: 'in_progress' })
  yield frame('thread.message.created', { ...message, status: 'in_progress', content: [] })
  for (const value of pieces) {
    const content = [{ index: 0, ...textPart(value) }]
    yield frame(
      'thread.message.delta',
      { id: messageId, object: 'thread.message.delta', delta: { content } },
      true,
    )
  }
  const { status, extra } = getRunEnd(behavior)
  if (behavior.finishReason === null) return
  if (status === 'completed') {
    yield frame('thread.message.completed', { ...message, status, content: [textPart(pieces.join(''))] })
    yield frame('thread.run.step.completed', { ...step, status })
  }
  const input = thread.messages.reduce((sum, { content }) => sum + Math.ceil(content.length / 4), 0)
  const { tokens } = behavior
  const usage = {
    prompt_tokens: tokens ?? input,
    completion_tokens: tokens ?? pieces.length,
    total_tokens: tokens ?? input + pieces.length,
    prompt_token_details: { cached_tokens: tokens ?? 0 },
  }
  yield frame(
    `thread.run.${status}`,
    toRunObject({ status, ...(behavior.usage === false ? {} : { usage }), ...extra }),
  )
}

/** Implements the assistants, threads and runs of the Assistants API in memory. */
export function createAssistantServer() {
  const known = new Map<string, StandInAssistant>()
  const threads = new Map<string, Thread>()
  let count = 0
  function nextId(prefix: string) {
    return `${prefix}_${++count}`
  }

  function sendMissing(outgoing: send.Outgoing, what: string, id: string): true {
    send.sendError(outgoing, 404, `No ${what} found with id '${id}'.`, null)
    return true
  }

  function createThread(outgoing: send.Outgoing, { body }: StandInRequest): true {
    const messages = Array.isArray(body['messages']) ? body['messages'] : []
    if (messages.length > 32) {
      send.sendError(outgoing, 400, 'Invalid messages: array too long.', 'array_above_max_length')
      return true
    }
    const thread: Thread = { id: nextId('thread'), messages: messages.map(readMessage), runs: [] }
    threads.set(thread.id, thread)
    send.sendJson(outgoing, 200, { id: thread.id, object: 'thread', created_at: created, metadata: {} })
    return true
  }

  async function startRun(
    outgoing: send.Outgoing,
    thread: Thread,
    { body }: StandInRequest,
    behavior: Behavior,
  ) {
    const assistantId = String(body['assistant_id'])
    const assistant = known.get(assistantId)
    if (!assistant) return sendMissing(outgoing, 'assistant', assistantId)
    const messages = [{ role: 'system', content: assistant.instructions }, ...thread.messages]
    const { text, answer = 'grounded' } = behavior
    const pieces =
      typeof text === 'object' ? text : splitIntoPieces(text ?? createAnswerText(answer, { messages }))
    const run: Run = { id: nextId('run'), status: 'queued' }
    thread.runs.unshift(run)
    if (behavior.asJson) send.sendJson(outgoing, 200, runObject(run, thread, assistantId, {}))
    else {
      const frames = runFrames(thread, run, { assistantId, assistant, pieces }, behavior)
      await send.sendStream(outgoing, frames, behavior, eventNames)
      if (!outgoing.response.writableEnded || behavior.finishReason === null) return true
      run.status = getRunEnd(behavior).status
      if (run.status === 'completed') thread.messages.push({ role: 'assistant', content: pieces.join('') })
    }
    return true
  }

  function cancelRun(outgoing: send.Outgoing, thread: Thread, runId: string): true {
    const run = thread.runs.find(({ id }) => id === runId)
    if (!run) return sendMissing(outgoing, 'run', runId)
    run.status = 'cancelling'
    send.sendJson(outgoing, 200, {
      id: run.id,
      object: 'thread.run',
      thread_id: thread.id,
      status: run.status,
    })
    return true
  }

  function serveThread(outgoing: send.Outgoing, thread: Thread, request: StandInRequest, behavior: Behavior) {
    const [, what, runId, action] = request.path.replace(/\?.*$/, '').split('/').slice(3)
    const isPost = request.method === 'POST'
    if (isPost && what === 'messages') {
      thread.messages.push(readMessage(request.body))
      send.sendJson(outgoing, 200, { id: nextId('msg'), object: 'thread.message', thread_id: thread.id })
      return true
    }
    if (isPost && what === 'runs' && runId === undefined) return startRun(outgoing, thread, request, behavior)
    if (isPost && runId !== undefined && action === 'cancel') return cancelRun(outgoing, thread, runId)
    if (what !== 'runs') return false
    const data = thread.runs.slice(0, 1).map(({ id, status }) => ({ id, object: 'thread.run', status }))
    send.sendJson(outgoing, 200, { object: 'list', data, has_more: false })
    return true
  }

  return {
    known,
    forget: () => threads.clear(),
    getCallKind(method: string, address: string): CallKind | null {
      const path = address.replace(/\?.*$/, '')
      if (path.startsWith('/v1/assistants/')) return 'assistants'
      if (method !== 'POST' || !path.startsWith('/v1/threads')) return null
      if (path === '/v1/threads') return 'threads'
      return path.endsWith('/messages') ? 'messages' : path.endsWith('/runs') ? 'runs' : null
    },
    /** Returns false for paths outside the API. */
    async serve(outgoing: send.Outgoing, request: StandInRequest, behavior: Behavior): Promise<boolean> {
      const [version, what, id] = request.path.replace(/\?.*$/, '').split('/').slice(1)
      if (version !== 'v1') return false
      if (what === 'assistants' && id !== undefined) {
        const assistant = known.get(id)
        if (!assistant) return sendMissing(outgoing, 'assistant', id)
        send.sendJson(outgoing, 200, { id, object: 'assistant', created_at: created, ...assistant })
        return true
      }
      if (what !== 'threads') return false
      if (id === undefined) return createThread(outgoing, request)
      const thread = threads.get(id)
      return thread ? serveThread(outgoing, thread, request, behavior) : sendMissing(outgoing, 'thread', id)
    },
  }
}
