import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerText, piecesOf } from './model-stand-in/answers.ts'
import { createAssistantServer, type StandInAssistant } from './model-stand-in/assistants.ts'
import type { Behaviour, CallKind, CapturedRequest } from './model-stand-in/behaviour.ts'
import { embeddingsReply } from './model-stand-in/embeddings.ts'
import { createGate } from './model-stand-in/gate.ts'
import { refusalOf } from './model-stand-in/model-rules.ts'
import * as send from './model-stand-in/send.ts'
import {
  chatFrames,
  chatJson,
  type Reply,
  responseFrames,
  responseJson,
} from './model-stand-in/wire-formats.ts'

export type { AnswerStyle, Behaviour } from './model-stand-in/behaviour.ts'

export interface ModelStandInOptions {
  /** A free one by default. */
  port?: number
  /** How it behaves when nothing is scripted. */
  behaviour?: Behaviour
}

export interface ModelStandIn {
  /** What OPENAI_BASE_URL is set to; ends in /v1. */
  readonly url: string
  /** The assistants it serves by the Assistants protocol, by id; none by default. */
  readonly assistants: Map<string, StandInAssistant>
  /** Forgets all threads, as a server does that keeps them for a while only. */
  forgetThreads(): void
  /** Everything asked so far, oldest first. */
  readonly requests: CapturedRequest[]
  /** The next calls behave so, one each, in this order; later ones as by default again. */
  script(...behaviours: Behaviour[]): void
  /** Every call that is not scripted behaves so from now on. */
  always(behaviour: Behaviour): void
  /** Answers stop before this piece of their text (the first is 0) until release(). */
  hold(atPiece?: number): void
  release(): void
  /** Settles when so many answers are stopped by hold(). */
  whenHeld(count?: number): Promise<void>
  /** Settles when so many requests have come in since the last reset. */
  whenAsked(count: number): Promise<void>
  /** Forgets the requests, the script, the assistants with their threads, and a hold. */
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

/** Misbehaves as scripted before any answer is thought of; false when there is nothing of the kind to do. */
async function sendFault(outgoing: send.Outgoing, { fault }: Behaviour): Promise<boolean> {
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

function replyOf(body: Record<string, unknown>, behaviour: Behaviour): Reply {
  const { text, answer = 'grounded', finishReason = 'stop', usage = true } = behaviour
  const pieces = typeof text === 'object' ? text : piecesOf(text ?? answerText(answer, body))
  return { body, pieces, finishReason, withUsage: usage }
}

async function sendAnswer(outgoing: send.Outgoing, path: string, reply: Reply, behaviour: Behaviour) {
  const isChat = path.endsWith('/chat/completions')
  const refusal = refusalOf(path, reply.body)
  if (refusal) {
    send.sendError(outgoing, refusal.status, refusal.message, refusal.code)
  } else if (reply.body['stream'] === true && !behaviour.asJson) {
    await send.sendStream(outgoing, (isChat ? chatFrames : responseFrames)(reply), behaviour)
  } else {
    await outgoing.gate.pass(0, outgoing.closed)
    send.sendJson(outgoing, 200, isChat ? chatJson(reply) : responseJson(reply))
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

/** A model endpoint on loopback that speaks the real wire format and does as it is told. */
export async function startModelStandIn(options: ModelStandInOptions = {}): Promise<ModelStandIn> {
  const requests: CapturedRequest[] = []
  const gate = createGate()
  let scripted: Behaviour[] = []
  let usual: Behaviour = options.behaviour ?? {}
  let askWatchers: { count: number; resolve: () => void }[] = []

  const assistants = createAssistantServer()

  function nextBehaviour(on: CallKind): Behaviour {
    const at = scripted.findIndex((behaviour) => (behaviour.on ?? 'answers') === on)
    if (at >= 0) return scripted.splice(at, 1)[0] ?? {}
    return (usual.on ?? 'answers') === on ? usual : {}
  }

  async function capture(request: IncomingMessage, response: ServerResponse): Promise<CapturedRequest> {
    const ended = new Promise<'finished' | 'aborted'>((resolve) => {
      response.on('close', () => resolve(response.writableFinished ? 'finished' : 'aborted'))
    })
    const { method = 'GET', url = '/', headers } = request
    const captured = { method, path: url, headers, body: await readBody(request), ended }
    requests.push(captured)
    const due = askWatchers.filter(({ count }) => requests.length >= count)
    askWatchers = askWatchers.filter((watcher) => !due.includes(watcher))
    for (const { resolve } of due) resolve()
    return captured
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const closed = new Promise<void>((resolve) => response.on('close', () => resolve()))
    const { method, path, body } = await capture(request, response)
    const outgoing = { response, closed, gate }
    if (path === '/v1/models') {
      send.sendJson(outgoing, 200, modelList)
    } else if (path === '/v1/embeddings') {
      const behaviour = nextBehaviour('embeddings')
      if (await sendFault(outgoing, behaviour)) return
      const { dimensions = 256, usage = true } = behaviour
      send.sendJson(outgoing, 200, embeddingsReply(body, dimensions, usage))
    } else if (path === '/v1/chat/completions' || path === '/v1/responses') {
      const behaviour = nextBehaviour('answers')
      if (await sendFault(outgoing, behaviour)) return
      await sendAnswer(outgoing, path, replyOf(body, behaviour), behaviour)
    } else {
      const kind = assistants.kindOf(method, path)
      const behaviour = kind ? nextBehaviour(kind) : {}
      if (kind && (await sendFault(outgoing, behaviour))) return
      if (!(await assistants.serve(outgoing, { method, path, body }, behaviour)))
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
    assistants: assistants.known,
    forgetThreads: assistants.forget,
    script: (...behaviours) => void scripted.push(...behaviours),
    always: (behaviour) => {
      usual = behaviour
    },
    hold: (atPiece = 1) => gate.hold(atPiece),
    release: () => gate.release(),
    whenHeld: (count = 1) => gate.whenHeld(count),
    whenAsked: (count) =>
      requests.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => askWatchers.push({ count, resolve })),
    reset() {
      requests.length = 0
      scripted = []
      usual = options.behaviour ?? {}
      assistants.known.clear()
      assistants.forget()
      gate.release()
    },
    close: () => stop(server),
  }
}
