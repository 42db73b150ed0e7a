import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { type AssistantEvent, createAssistant } from './assistant.ts'
import type { Timeouts } from './deadline.ts'
import type { ModelError, ThreadEvent } from './port.ts'

let standIn: ModelStandIn
const unhandled: unknown[] = []
function recordUnhandled(reason: unknown) {
  return void unhandled.push(reason)
}
beforeAll(async () => {
  process.on('unhandledRejection', recordUnhandled)
  standIn = await startModelStandIn()
})
afterEach(() => standIn.reset())
afterAll(async () => {
  await standIn.close()
  process.off('unhandledRejection', recordUnhandled)
  expect(unhandled).toEqual([])
})

const key = '0f1e2d3c4b5a69788796a5b4c3d2e1f0'
let log: AssistantEvent[] = []
function createExternal(timeouts: Partial<Timeouts> = {}) {
  // A new log, because the last call of the previous test may still write to its own.
  const events: AssistantEvent[] = []
  log = events
  standIn.assistants.set('asst_1', { name: 'One', model: 'gpt-4o', instructions: '' })
  const assistants = createAssistant({
    apiKey: key,
    baseUrl: standIn.url,
    modelMap: {},
    now: Date.now,
    timeouts,
    wait: async () => undefined,
    log: (event) => events.push(event),
  }).external
  if (!assistants) throw new Error('there is no assistants server')
  return assistants
}

function ask(timeouts: Partial<Timeouts> = {}, signal = new AbortController().signal) {
  return createExternal(timeouts).reply({
    assistantId: 'asst_1',
    threadId: null,
    history: [],
    question: 'Why?',
    signal,
  })
}

async function read(events: AsyncIterable<ThreadEvent>) {
  const seen: ThreadEvent[] = []
  const error = await (async () => {
    for await (const event of events) seen.push(event)
  })().then(
    () => null,
    (thrown: ModelError) => thrown,
  )
  return { seen, error }
}

function listRequests() {
  return standIn.requests.map(({ method, path }) => `${method} ${path}`)
}
function waitForCancel() {
  return vi.waitFor(() => expect(listRequests().at(-1)).toMatch(/^POST .*\/runs\/run_\d+\/cancel$/))
}

describe('an external assistant', () => {
  it.each(['threads', 'runs'] as const)('times out when requests for %s are never answered', async (on) => {
    standIn.script({ on, fault: { kind: 'hang' } })
    const { error } = await read(ask({ firstReasoningMs: 3000 }))
    expect(error?.code).toBe('assistant.timeout')
  })

  it('times out before the first output and cancels the run', async () => {
    standIn.script({ on: 'runs', text: ['x'], fault: { kind: 'stall', afterPieces: 0 } })
    const { seen, error } = await read(ask({ firstReasoningMs: 3000 }))
    expect(seen).toMatchObject([{ type: 'started', model: 'gpt-4o' }])
    expect(error?.code).toBe('assistant.timeout')
    await waitForCancel()
  })

  it('looks up and cancels the run when the stream ends before its id is known', async () => {
    standIn.script({ on: 'runs', fault: { kind: 'drop', afterBytes: 20 } })
    expect((await read(ask())).error?.code).toBe('assistant.unavailable')
    await waitForCancel()
    expect(listRequests().at(-2)).toMatch(/^GET \/v1\/threads\/thread_\d+\/runs\?limit=1&order=desc$/)
  })

  it('cancels the run when the reader leaves', async () => {
    standIn.script({ on: 'runs', text: ['One ', 'two ', 'three'], delayMs: 5 })
    standIn.pause(2)
    for await (const event of ask()) if (event.type === 'text') break
    await waitForCancel()
  })

  it('throws the abort reason when stopped', async () => {
    const controller = new AbortController()
    standIn.pause(1)
    const reading = read(ask({}, controller.signal))
    await standIn.whenPaused()
    const reason = new Error('enough')
    controller.abort(reason)
    expect((await reading).error).toBe(reason)
    await waitForCancel()
    expect(log).toEqual([])
  })

  it('sends no request if already aborted', async () => {
    const { error } = await read(ask({}, AbortSignal.abort(new Error('enough'))))
    expect([error?.message, standIn.requests]).toEqual(['enough', []])
  })

  it('gives up when a run cannot be cancelled', async () => {
    standIn.script({ on: 'runs', text: [], run: { status: 'requires_action' } })
    standIn.pause(0)
    const { error } = await read(ask())
    expect(error?.code).toBe('assistant.wants_tools')
    standIn.forgetThreads()
    await waitForCancel()
  })

  it('reports usage, estimated if the server sends none', async () => {
    standIn.script({ on: 'runs', text: 'Because.' }, { on: 'runs', text: 'Because.', usage: false })
    const usages = [await read(ask()), await read(ask())].map(({ seen }) => seen.at(-1))
    expect(usages).toMatchObject([
      { type: 'finish', reason: 'stop', usage: { output: 1, estimated: false } },
      { type: 'finish', reason: 'stop', usage: { estimated: true } },
    ])
  })

  it.each([-1_000_000, 5.5, 3e9, 1e300])('estimates usage if %d tokens are reported', async (tokens) => {
    standIn.script({ on: 'runs', text: 'Because.', tokens })
    const { seen } = await read(ask())
    expect(seen.at(-1)).toMatchObject({ type: 'finish', usage: { cached: 0, output: 3, estimated: true } })
  })

  it('never logs its API key', async () => {
    const message = `Incorrect API key provided: ${key}`
    standIn.script({ on: 'runs', fault: { kind: 'status', status: 401, message } })
    const { error } = await read(ask())
    expect(JSON.stringify([error?.message, error?.detail, log])).not.toContain(key)
    expect(log).toMatchObject([{ event: 'model.refused_key' }])
  })

  it('reports an unknown assistant as such, not as a failure of the server', async () => {
    const server = createExternal()
    const { signal } = new AbortController()
    const request = { assistantId: 'asst_2', threadId: null, history: [], question: 'Why?', signal }
    expect((await read(server.reply(request))).error?.code).toBe('assistant.gone')
    expect(log).toMatchObject([{ event: 'assistant.missing', model: 'assistant asst_2' }])
  })

  it('is found by id', async () => {
    const server = createExternal()
    const { signal } = new AbortController()
    expect(await server.find('asst_1', signal)).toEqual({ name: 'One' })
    expect(await server.find('asst_2', signal)).toBeNull()
    standIn.script({ on: 'assistants', fault: { kind: 'status', status: 401 } })
    await expect(server.find('asst_1', signal)).rejects.toMatchObject({ code: 'assistant.unavailable' })
  })
})
