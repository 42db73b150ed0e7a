import { assistantsApi } from '@lyceum/contract/assistants'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAssistant } from '#providers/assistant/assistant.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type Behavior, type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { openReplyStream } from '#testing/reply-stream.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const assistantId = 'asst_history'

let model: ModelStandIn
/** Uses the stand-in for models and assistants, with a short idle timeout. */
let app: TestApp
let unconfiguredApp: TestApp
let ada: TestUser
let channelId: string
let chatId: string

/** Ada administers the channel, so that she sees which model answered. */
async function openChat(target: TestApp, openaiAssistantId: string) {
  channelId = await createTestChannel(target.deps, { useAssistant: true, openaiAssistantId })
  ada = await createUser(target.deps, { channels: [channelId] })
  await target.deps.db.updateTable('channel_members').set({ is_admin: 1 }).execute()
  chatId = (await target.call(chatsApi.create, { as: ada, params: { channelId }, body: {} })).body._id
}

beforeAll(async () => {
  model = await startModelStandIn()
  const assistant = createAssistant({
    baseUrl: model.url,
    modelMap: {},
    now: Date.now,
    timeouts: { idleMs: 3000 },
    wait: async () => undefined,
  })
  app = await buildTestApp({ deps: { assistant } })
  unconfiguredApp = await buildTestApp()
})
beforeEach(async () => {
  model.reset()
  const historian = { name: 'Historian', instructions: 'You know the history of telescopes.' }
  model.assistants.set(assistantId, { ...historian, model: 'gpt-4o-mini' })
  await app.deps.db.deleteFrom('assistant_presets').execute()
  await openChat(app, assistantId)
})
afterAll(async () => {
  await app.close()
  await unconfiguredApp.close()
  await model.close()
})

function send(message: string, target = app) {
  return target.call(chatsApi.send, { as: ada, params: { channelId, chatId }, body: { message } })
}
async function openStream(message: string) {
  const input = { as: ada, params: { channelId, chatId }, body: { message } }
  return openReplyStream(await app.url(), chatsApi.send, input)
}
async function sendAndReceive(message: string, text: string) {
  model.script({ on: 'runs', text })
  const { status, body } = await send(message)
  expect([status, body.reply?.content]).toEqual([200, text])
  return body
}
async function listMessages() {
  return (await app.call(chatsApi.get, { as: ada, params: { channelId, chatId } })).body.messages
}
async function findNewest() {
  return (await listMessages()).at(-1)
}
function listCalls() {
  return model.requests.map(({ method, path }) => `${method} ${path}`)
}
function listThreadRequests() {
  return model.requests.filter(({ path }) => path === '/v1/threads')
}
function waitForCancelRequest() {
  return vi.waitFor(() =>
    expect(listCalls().at(-1)).toMatch(/^POST \/v1\/threads\/thread_\d+\/runs\/run_\d+\/cancel$/),
  )
}

describe('without an assistant or a model', () => {
  it('fails the reply with a message', async () => {
    await openChat(unconfiguredApp, assistantId)
    const { status, body } = await send('Hello', unconfiguredApp)
    expect([status, body.code, body.message]).toEqual([
      502,
      'assistant.not_configured',
      'This assistant is not configured. An administrator has to set it up.',
    ])
    const { body: chat } = await unconfiguredApp.call(chatsApi.get, {
      as: ada,
      params: { channelId, chatId },
    })
    expect(chat.messages.at(-1)).toMatchObject({ error: body.message, setupProblem: 'gone' })
  })

  it('also fails for a preset without a model', async () => {
    const as = await createAdmin(unconfiguredApp.deps)
    const body = { assistantId: 'guide', name: 'Guide', model: 'gpt-4o' } as const
    await unconfiguredApp.call(assistantsApi.createPreset, { as, body })
    await openChat(unconfiguredApp, 'guide')
    expect((await send('Hello', unconfiguredApp)).body.code).toBe('assistant.not_configured')
  })
})

describe('a preset', () => {
  const guide = {
    assistantId,
    name: 'Guide',
    instructions: 'You greet people warmly.',
    model: 'o1',
    options: { reasoningEffort: 'low', maxOutputTokens: 300 },
  } as const
  async function storePreset(changes: object = {}) {
    const as = await createAdmin(app.deps)
    const body = { ...guide, ...changes }
    return (await app.call(assistantsApi.createPreset, { as, body })).body._id
  }

  it('streams with its instructions, model, options and the conversation', async () => {
    await storePreset()
    model.script({ text: ['Wel', 'come', ' [1]', '!'] }, { text: 'Down the hall.' })
    const events = await (await openStream('Hello')).readToEnd()
    expect(events.map(({ type }) => type)).toContain('delta')
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      reply: {
        content: 'Welcome [1]!',
        state: 'complete',
        mode: 'model',
        citations: [],
        model: { requested: 'o1', actual: 'gpt-5.6-sol' },
      },
    })
    await (await openStream('Where is my desk?')).readToEnd()
    expect(listCalls()).toEqual(['POST /v1/chat/completions', 'POST /v1/chat/completions'])
    expect(model.requests[1]?.body).toMatchObject({
      model: 'gpt-5.6-sol',
      reasoning_effort: 'low',
      max_completion_tokens: 300,
      messages: [
        { content: 'You greet people warmly.' },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Welcome [1]!' },
        { role: 'user', content: 'Where is my desk?' },
      ],
    })
  })

  it('applies changes at once', async () => {
    const id = await storePreset({ model: 'gpt-4o', options: {} })
    await send('Hello')
    const as = await createAdmin(app.deps)
    const body = { ...guide, instructions: 'You are curt.', model: 'gpt-4o-mini', options: {} } as const
    await app.call(assistantsApi.updatePreset, { as, params: { id }, body })
    await send('Hello again')
    const modelsAndPrompts = model.requests.map(({ body: { model: name, messages } }) => [
      name,
      (messages as { content: string }[])[0]?.content,
    ])
    expect(modelsAndPrompts).toEqual([
      ['gpt-4o', 'You greet people warmly.'],
      ['gpt-4o-mini', 'You are curt.'],
    ])
  })
})

describe('an external assistant', () => {
  it('keeps the conversation in a thread and removes citation marks', async () => {
    model.script({ on: 'runs', text: ['In 1608', ' 【4:0†sou', 'rce】', '. [2]【', 'sic】'] })
    const first = await send('When was the telescope invented?')
    expect(first.body.reply).toMatchObject({
      content: 'In 1608. [2]【sic】',
      state: 'complete',
      mode: 'model',
      model: { requested: 'assistant', actual: 'gpt-4o-mini' },
    })
    await sendAndReceive('By whom?', 'By Hans Lipperhey.')
    const thread = /thread_\d+/.exec(listCalls()[1] ?? '')?.[0]
    expect(listCalls()).toEqual([
      'POST /v1/threads',
      `POST /v1/threads/${thread}/runs`,
      `POST /v1/threads/${thread}/messages`,
      `POST /v1/threads/${thread}/runs`,
    ])
    expect(model.requests.map(({ headers }) => headers['openai-beta'])).toEqual(
      Array(4).fill('assistants=v2'),
    )
    expect(model.requests[1]?.body).toEqual({ assistant_id: assistantId, stream: true })
    expect(model.requests[2]?.body).toEqual({ role: 'user', content: 'By whom?' })
  })

  it('records the token usage of the run', async () => {
    const { reply, usage } = await sendAndReceive('When?', 'In 1608.')
    expect(usage).toMatchObject({ outputTokens: 2, estimated: false })
    const rows = await app.deps.db
      .selectFrom('llm_usage')
      .selectAll()
      .where('message_id', '=', reply._id)
      .execute()
    expect(rows).toMatchObject([
      {
        purpose: 'answer',
        requested_model: 'assistant',
        actual_model: 'gpt-4o-mini',
        estimated: 0,
        output: 2,
      },
    ])
  })

  it('never reveals its id', async () => {
    const { reply } = await sendAndReceive('When?', 'In 1608.')
    expect(JSON.stringify([reply, await listMessages()])).not.toContain(assistantId)
  })

  it('starts a new thread with the shown messages after an edit and after a regeneration', async () => {
    await sendAndReceive('One', 'First.')
    const second = await sendAndReceive('Two', 'Second.')
    model.script({ on: 'runs', text: 'Second, again.' })
    const params = { channelId, chatId, messageId: second.reply._id }
    await app.call(chatsApi.regenerate, { as: ada, params })
    model.script({ on: 'runs', text: 'Third.' })
    const messageId = second.message?._id ?? ''
    const edited = { as: ada, params: { ...params, messageId }, body: { message: 'Three' } }
    await app.call(chatsApi.edit, edited)
    function buildThreadBody(question: string) {
      return {
        messages: [
          { role: 'user', content: 'One' },
          { role: 'assistant', content: 'First.' },
          { role: 'user', content: question },
        ],
      }
    }
    expect(listThreadRequests().map(({ body }) => body)).toEqual([
      { messages: [{ role: 'user', content: 'One' }] },
      buildThreadBody('Two'),
      buildThreadBody('Three'),
    ])
    await sendAndReceive('Four', 'Fourth.')
    expect(listThreadRequests()).toHaveLength(3)
  })

  it('starts a new thread when the server has lost the first', async () => {
    await sendAndReceive('One', 'First.')
    model.forgetThreads()
    await sendAndReceive('Two', 'Second.')
    expect(listThreadRequests().map(({ body }) => (body['messages'] as unknown[]).length)).toEqual([1, 3])
  })

  it('starts a new thread for another assistant', async () => {
    await sendAndReceive('One', 'First.')
    model.assistants.set('asst_2', { name: 'Other', model: 'gpt-4o', instructions: '' })
    const as = await createAdmin(app.deps)
    const form = { name: 'Name', description: 'Words', useAssistant: true, openaiAssistantId: 'asst_2' }
    await app.call(channelsApi.update, { as, params: { id: channelId }, body: form })
    await sendAndReceive('Two', 'Second.')
    expect(listThreadRequests()).toHaveLength(2)
  })

  it('starts a thread with no more messages than the server accepts', async () => {
    for (let at = 0; at < 18; at++) await sendAndReceive(`Question ${at}`, `Answer ${at}`)
    model.forgetThreads()
    await sendAndReceive('The last', 'Word.')
    const messages = listThreadRequests().at(-1)?.body['messages'] as { role: string; content: string }[]
    expect(messages.length).toBeLessThanOrEqual(32)
    expect([messages[0]?.role, messages.at(-1)?.content]).toEqual(['user', 'The last'])
  })

  it('cancels its run when the user stops the reply and continues in a new thread', async () => {
    model.script({ on: 'runs', text: ['One ', 'two ', 'three ', 'four.'] })
    model.pause(2)
    const url = await app.url()
    const request = { as: ada, params: { channelId, chatId }, body: { message: 'Count' } }
    const stream = await openReplyStream(url, chatsApi.send, request)
    const accepted = await stream.readUntil('accepted')
    await stream.readUntil('delta')
    const messageId = accepted?.reply._id ?? ''
    await app.call(chatsApi.stop, { as: ada, params: { channelId, chatId, messageId } })
    await waitForCancelRequest()
    expect(await model.requests[1]?.ended).toBe('aborted')
    expect(await findNewest()).toMatchObject({ state: 'stopped' })
    const shown = (await findNewest())?.content
    expect(shown).toMatch(/^One/)
    model.resume()
    await sendAndReceive('Go on', 'Five.')
    expect(listThreadRequests().at(-1)?.body).toEqual({
      messages: [
        { role: 'user', content: 'Count' },
        { role: 'assistant', content: shown },
        { role: 'user', content: 'Go on' },
      ],
    })
  })

  it('is called with its own key at its own address', async () => {
    const otherApp = await buildTestApp({
      env: {
        OPENAI_API_KEY: 'sk-models-only',
        ASSISTANTS_BASE_URL: `${model.url}/?api-version=v1`,
        ASSISTANTS_API_KEY: 'key-of-assistants',
      },
    })
    await openChat(otherApp, assistantId)
    const { status } = await send('When?', otherApp)
    await otherApp.close()
    expect(status).toBe(200)
    expect(listCalls()[0]).toBe('POST /v1/threads?api-version=v1')
    expect(model.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer key-of-assistants',
      'Bearer key-of-assistants',
    ])
  })

  it('never receives the key of the model endpoint', async () => {
    const otherApp = await buildTestApp({
      env: { OPENAI_API_KEY: 'sk-models-only', ASSISTANTS_BASE_URL: model.url },
    })
    await openChat(otherApp, assistantId)
    await send('When?', otherApp)
    await otherApp.close()
    expect(JSON.stringify(model.requests.map(({ headers }) => headers))).not.toContain('sk-models-only')
  })
})

const errors = {
  unavailable:
    'The assistant is not available. Try again in a few minutes. If this continues, contact an administrator.',
  busy: 'The assistant is busy right now. Please try again in a moment.',
  timeout: 'The assistant took too long to answer. Try again in a few minutes.',
}
const text = ['One ', 'two ', 'three.']
function failWithStatus(code: number, on: Behavior['on'] = 'runs'): Behavior {
  return { on, fault: { kind: 'status', status: code } }
}

describe('answering through an external server', () => {
  it.each<[string, Behavior[], string, string]>([
    ['a refused key', [failWithStatus(401)], 'assistant.unavailable', errors.unavailable],
    ['a missing permission', [failWithStatus(403, 'threads')], 'assistant.unavailable', errors.unavailable],
    [
      'a server without the Assistants API',
      [failWithStatus(404, 'threads')],
      'assistant.not_configured',
      'This assistant is not configured. An administrator has to set it up.',
    ],
    [
      'status 500 twice',
      [failWithStatus(500), failWithStatus(500)],
      'assistant.unavailable',
      errors.unavailable,
    ],
    [
      'a redirect',
      [{ on: 'runs', fault: { kind: 'redirect', location: 'http://127.0.0.1:9/' } }],
      'assistant.unavailable',
      errors.unavailable,
    ],
    [
      'an HTML page',
      [{ on: 'threads', fault: { kind: 'body', contentType: 'text/html', body: '<html>' } }],
      'assistant.unavailable',
      errors.unavailable,
    ],
    [
      'a response that is not a thread',
      [{ on: 'threads', fault: { kind: 'body', contentType: 'application/json', body: '{"id":7}' } }],
      'assistant.unavailable',
      errors.unavailable,
    ],
    [
      'a run that exceeds a rate limit',
      [{ on: 'runs', text: [], run: { status: 'failed', code: 'rate_limit_exceeded' } }],
      'assistant.busy',
      errors.busy,
    ],
    [
      'a run that fails',
      [{ on: 'runs', text: [], run: { status: 'failed', code: 'server_error' } }],
      'assistant.unavailable',
      errors.unavailable,
    ],
    [
      'a run that expires',
      [{ on: 'runs', text: [], run: { status: 'expired' } }],
      'assistant.timeout',
      errors.timeout,
    ],
    [
      'a cancelled run',
      [{ on: 'runs', text: [], run: { status: 'cancelled' } }],
      'assistant.unavailable',
      errors.unavailable,
    ],
    ['an empty answer', [{ on: 'runs', text: [] }], 'assistant.unavailable', errors.unavailable],
  ])('fails the reply with a message and leaves no run behind: %s', async (_, behaviors, code, message) => {
    model.script(...behaviors)
    const { body } = await send('When?')
    expect([body.code, body.message]).toEqual([code, message])
    expect(await findNewest()).toMatchObject({ state: 'failed', content: '', error: message })
    expect((await findNewest())?.setupProblem !== undefined).toBe(code === 'assistant.not_configured')
    expect(listCalls().filter((call) => call.endsWith('/cancel'))).toEqual([])
  })

  it('fails the reply with a message if the assistant was deleted', async () => {
    model.assistants.clear()
    const { status, body } = await send('When?')
    expect([status, body.code, body.message]).toEqual([
      502,
      'assistant.gone',
      'This assistant no longer exists. An administrator has to choose another one.',
    ])
  })

  it.each([
    ['30', { 'retry-after': '30' }],
    ['2', {}],
  ])('says to try again in %s s after rate limits', async (seconds, headers) => {
    const limited: Behavior = { on: 'runs', fault: { kind: 'status', status: 429, headers } }
    model.script(limited, limited)
    const response = await send('When?')
    expect([response.status, response.headers['retry-after']]).toEqual([503, seconds])
  })

  it('retries a temporary server error', async () => {
    model.script(failWithStatus(503, 'threads'), { on: 'runs', text: 'In 1608.' })
    expect((await send('When?')).body.reply.content).toBe('In 1608.')
  })

  it('cancels a run that requires tools and says so in the reply', async () => {
    model.script({ on: 'runs', text: [], run: { status: 'requires_action' } })
    const { body } = await send('When?')
    expect([body.code, body.message]).toEqual([
      'assistant.wants_tools',
      'This assistant requires tools that are not supported here',
    ])
    await waitForCancelRequest()
  })

  it.each<[string, Behavior, string]>([
    ['stops sending', { fault: { kind: 'stall', afterPieces: 2 } }, 'assistant.timeout'],
    ['drops the connection', { fault: { kind: 'drop', afterBytes: 2200 } }, 'assistant.unavailable'],
    ['reports a failure', { fault: { kind: 'error-event', afterPieces: 2 } }, 'assistant.unavailable'],
    ['ends before its run', { finishReason: null, framing: { done: false } }, 'assistant.unavailable'],
    ['cannot be read', { fault: { kind: 'bad-lines', afterPieces: 2, count: 4 } }, 'assistant.unavailable'],
  ])('keeps the text and cancels the run if the stream %s', async (_, behavior, code) => {
    model.script({ on: 'runs', text, ...behavior })
    model.pause(1)
    const stream = await openStream('When?')
    // A connection that drops takes with it what nobody has read yet.
    await stream.readUntil('delta')
    model.resume()
    expect((await stream.readToEnd()).at(-1)).toMatchObject({ type: 'error', code })
    const reply = await findNewest()
    expect(reply?.state).toBe('interrupted')
    expect(text.join('').startsWith((reply?.content ?? '-').trim())).toBe(true)
    await waitForCancelRequest()
    await sendAndReceive('And now?', 'In 1608.')
    expect(listThreadRequests()).toHaveLength(2)
  })

  it('skips up to three events that cannot be read', async () => {
    model.script({ on: 'runs', text, fault: { kind: 'bad-lines', afterPieces: 1, count: 3 } })
    expect((await send('When?')).status).toBe(200)
    expect(await findNewest()).toMatchObject({ state: 'complete', content: text.join('') })
  })

  it('cancels a run that cannot be streamed', async () => {
    model.script({ on: 'runs', asJson: true })
    expect((await send('When?')).body.code).toBe('assistant.unavailable')
    await waitForCancelRequest()
  })

  it('keeps an answer cut at its token limit but offers no continuation, and rejects a filtered one', async () => {
    model.script({ on: 'runs', text, run: { status: 'incomplete', reason: 'max_completion_tokens' } })
    expect((await send('When?')).body.code).toBe('assistant.cut')
    const cut = await findNewest()
    expect(cut).toMatchObject({ state: 'interrupted', content: text.join('') })
    expect(cut?.canContinue).toBeUndefined()
    model.script({ on: 'runs', text, run: { status: 'incomplete', reason: 'content_filter' } })
    expect((await send('And?')).body.code).toBe('assistant.unavailable')
  })

  it.each<[string, NonNullable<Behavior['framing']>]>([
    ['chunks of one byte', { slice: 1 }],
    ['carriage returns', { lineEnd: '\r', slice: 7 }],
    ['CRLF line endings', { lineEnd: '\r\n', slice: 5 }],
    ['comments and a byte order mark', { comments: true, omitsSpace: true, byteOrderMark: true }],
    ['no blank line at the end', { lastBlankLine: false, done: false }],
  ])('accepts event streams with %s', async (_, framing) => {
    const pieces = ['Grüße\u2028', ' 新聞 ', '🗞️.']
    model.script({ on: 'runs', text: pieces, framing })
    expect((await send('When?')).body.reply.content).toBe(pieces.join(''))
  })
})
