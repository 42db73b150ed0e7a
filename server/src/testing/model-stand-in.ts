import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createAnswerText,
  createTitle,
  createVerdicts,
  isCheckRequest,
  isTitleRequest,
  splitIntoPieces,
} from './model-stand-in/answers.ts'
import { createAssistantServer, type StandInAssistant } from './model-stand-in/assistants.ts'
import type { Behavior, CallKind, CapturedRequest } from './model-stand-in/behavior.ts'
import { createEmbeddingsReply } from './model-stand-in/embeddings.ts'
import { createGate } from './model-stand-in/gate.ts'
import { findRefusal } from './model-stand-in/model-rules.ts'
import { createRerankReply, createTeiReply } from './model-stand-in/reranking.ts'
import * as send from './model-stand-in/send.ts'
import {
  type Reply,
  toChatFrames,
  toChatJson,
  toResponseFrames,
  toResponseJson,
} from './model-stand-in/wire-formats.ts'

export type { AnswerStyle, Behavior } from './model-stand-in/behavior.ts'

export interface ModelStandInOptions {
  /** A free port by default. */
  port?: number
  /** The behavior of calls that are not scripted. */
  behavior?: Behavior
}

type PausedKind = 'answers' | 'checks'

export interface ModelStandIn {
  /** The value for OPENAI_BASE_URL; ends in /v1. */
  readonly url: string
  /** Assistants served over the Assistants API, by id; empty by default. */
  readonly assistants: Map<string, StandInAssistant>
  /** Deletes all threads, as a server does when they expire. */
  forgetThreads(): void
  /** All requests so far but those for titles, oldest first. */
  readonly requests: CapturedRequest[]
  /** Requests for titles of chats, which come at any time after a reply. `pause()` does not stop their answers. */
  readonly titleRequests: CapturedRequest[]
  /** Sets the behavior of the next calls, one each. Later calls use the default again. */
  script(...behaviors: Behavior[]): void
  /** Sets the default behavior of calls that are not scripted. */
  always(behavior: Behavior): void
  /** Answers, or checks of citations, stop before this piece of their text (the first is 0) until `resume()`. */
  pause(atPiece?: number, kind?: PausedKind): void
  resume(kind?: PausedKind): void
  /** Resolves when at least `count` of them are paused. */
  whenPaused(count?: number, kind?: PausedKind): Promise<void>
  /** Resolves when at least `count` requests have arrived since the last reset. */
  whenRequested(count: number): Promise<void>
  /** Clears the requests, the script, the assistants and their threads, and resumes paused answers. */
  reset(): void
  close(): Promise<void>
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

function listen(server: Server, port: number) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function stop(server: Server) {
  return new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** Applies a scripted fault that replaces the whole answer. Returns false if there is none. */
async function sendFault(outgoing: send.Outgoing, { fault }: Behavior): Promise<boolean> {
  const { response } = outgoing
  switch (fault?.kind) {
    case 'status':
      send.sendError(
        outgoing,
        fault.status,
        fault.message ?? 'Scripted failure',
        fault.code ?? null,
        fault.headers,
      )
      return true
    case 'redirect':
      response.writeHead(307, { location: fault.location }).end()
      return true
    case 'reset':
      response.destroy()
      return true
    case 'hang':
      return true
    case 'huge-line':
      await send.sendHugeLine(outgoing, fault.bytes)
      return true
    case 'gzip-bomb':
      await send.sendGzipBomb(outgoing, fault.bytes)
      return true
    case 'body':
      response.writeHead(200, { 'content-type': fault.contentType }).end(fault.body)
      return true
    default:
      return false
  }
}

function createReply(body: Record<string, unknown>, behavior: Behavior): Reply {
  const { text, answer = 'grounded', finishReason = 'stop', usage = true, tokens } = behavior
  const pieces = typeof text === 'object' ? text : splitIntoPieces(text ?? createAnswerText(answer, body))
  return { body, pieces, finishReason, withUsage: usage, ...(tokens === undefined ? {} : { tokens }) }
}

async function sendAnswer(outgoing: send.Outgoing, path: string, reply: Reply, behavior: Behavior) {
  const isChat = path.endsWith('/chat/completions')
  const refusal = findRefusal(path, reply.body)
  if (refusal) {
    send.sendError(outgoing, refusal.status, refusal.message, refusal.code)
  } else if (reply.body['stream'] === true && !behavior.asJson) {
    await send.sendStream(outgoing, (isChat ? toChatFrames : toResponseFrames)(reply), behavior)
  } else {
    await outgoing.gate.pass(0, outgoing.closed)
    send.sendJson(outgoing, 200, isChat ? toChatJson(reply) : toResponseJson(reply))
  }
}

const modelList = {
  object: 'list',
  data: ['gpt-4o', 'gpt-4o-mini', 'gpt-6-luna', 'gpt-5.6-sol', 'text-embedding-3-small'].map((id) => ({
    id,
    object: 'model',
    created: 1_790_000_000,
    owned_by: 'stand-in',
  })),
}

/** Starts a model endpoint on loopback that uses the real wire formats and behaves as scripted. */
export async function startModelStandIn(options: ModelStandInOptions = {}): Promise<ModelStandIn> {
  const requests: CapturedRequest[] = []
  const titleRequests: CapturedRequest[] = []
  const gates = { answers: createGate(), checks: createGate() }
  let scripted: Behavior[] = []
  let defaultBehavior: Behavior = options.behavior ?? {}
  let requestWatchers: { count: number; resolve: () => void }[] = []

  const assistants = createAssistantServer()

  function nextBehavior(on: CallKind): Behavior {
    const at = scripted.findIndex((behavior) => (behavior.on ?? 'answers') === on)
    if (at >= 0) return scripted.splice(at, 1)[0] ?? {}
    return (defaultBehavior.on ?? 'answers') === on ? defaultBehavior : {}
  }

  async function capture(request: IncomingMessage, response: ServerResponse): Promise<CapturedRequest> {
    const ended = new Promise<'finished' | 'aborted'>((resolve) => {
      response.on('close', () => resolve(response.writableFinished ? 'finished' : 'aborted'))
    })
    const { method = 'GET', url = '/', headers } = request
    const captured = { method, path: url, headers, body: await readBody(request), ended }
    if (isTitleRequest(captured.body)) {
      titleRequests.push(captured)
      return captured
    }
    requests.push(captured)
    const due = requestWatchers.filter(({ count }) => requests.length >= count)
    requestWatchers = requestWatchers.filter((watcher) => !due.includes(watcher))
    for (const { resolve } of due) resolve()
    return captured
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const closed = new Promise<void>((resolve) => response.on('close', () => resolve()))
    const { method, path, body } = await capture(request, response)
    const outgoing = { response, closed, gate: gates.answers }
    if (path === '/v1/models') {
      send.sendJson(outgoing, 200, modelList)
    } else if (path === '/v1/embeddings') {
      const behavior = nextBehavior('embeddings')
      if (await sendFault(outgoing, behavior)) return
      const { dimensions = 256, usage = true, tokens } = behavior
      send.sendJson(outgoing, 200, createEmbeddingsReply(body, dimensions, usage, tokens))
    } else if (path === '/v1/rerank' || path === '/rerank') {
      if (await sendFault(outgoing, nextBehavior('reranking'))) return
      const reply = (path === '/rerank' ? createTeiReply : createRerankReply)(body)
      if (reply.status === 200) send.sendJson(outgoing, 200, reply.json)
      else send.sendError(outgoing, reply.status, reply.message, null)
    } else if (isTitleRequest(body)) {
      const behavior = { text: createTitle(body), ...nextBehavior('titles') }
      if (await sendFault(outgoing, behavior)) return
      await sendAnswer({ ...outgoing, gate: createGate() }, path, createReply(body, behavior), behavior)
    } else if (isCheckRequest(body)) {
      const behavior = nextBehavior('checks')
      if (await sendFault(outgoing, behavior)) return
      const reply = createReply(body, { text: createVerdicts(body, behavior), ...behavior })
      await sendAnswer({ ...outgoing, gate: gates.checks }, path, reply, behavior)
    } else if (path === '/v1/chat/completions' || path === '/v1/responses') {
      const behavior = nextBehavior('answers')
      if (await sendFault(outgoing, behavior)) return
      await sendAnswer(outgoing, path, createReply(body, behavior), behavior)
    } else {
      const kind = assistants.getCallKind(method, path)
      const behavior = kind ? nextBehavior(kind) : {}
      if (kind && (await sendFault(outgoing, behavior))) return
      if (!(await assistants.serve(outgoing, { method, path, body }, behavior)))
        send.sendError(outgoing, 404, `Unknown path ${path}`, 'not_found')
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await listen(server, options.port ?? 0)
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    titleRequests,
    assistants: assistants.known,
    forgetThreads: assistants.forget,
    script: (...behaviors) => void scripted.push(...behaviors),
    always: (behavior) => {
      defaultBehavior = behavior
    },
    pause: (atPiece = 1, kind = 'answers') => gates[kind].pause(atPiece),
    resume: (kind = 'answers') => gates[kind].resume(),
    whenPaused: (count = 1, kind = 'answers') => gates[kind].whenPaused(count),
    whenRequested: (count) =>
      requests.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => requestWatchers.push({ count, resolve })),
    reset() {
      requests.length = 0
      titleRequests.length = 0
      scripted = []
      defaultBehavior = options.behavior ?? {}
      assistants.known.clear()
      assistants.forget()
      gates.answers.resume()
      gates.checks.resume()
    },
    close: () => stop(server),
  }
}
