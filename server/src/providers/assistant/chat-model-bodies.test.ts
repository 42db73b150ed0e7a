import { Readable } from 'node:stream'
import type { LanguageModel } from '@lyceum/contract/channels'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createPngHeader } from '#testing/pictures.ts'
import { createEndpointChat } from './assistant.ts'
import type { Endpoint } from './endpoint.ts'
import type { ModelMap } from './model-plan.ts'
import { readBase64 } from './pictures.ts'
import type { ModelEvent, ModelRequest } from './port.ts'

let standIn: ModelStandIn
beforeAll(async () => {
  standIn = await startModelStandIn()
})
afterEach(() => standIn.reset())
afterAll(() => standIn.close())

const december2026 = Date.parse('2026-12-01')

interface RequestOptions {
  kind?: Endpoint['kind']
  modelMap?: ModelMap
  now?: number
  supportsStore?: boolean
  request?: Partial<ModelRequest>
}

/** Sends a request to the stand-in and returns what it received. */
async function ask(
  label: LanguageModel,
  { kind = 'openai', modelMap = {}, now, supportsStore, request }: RequestOptions = {},
) {
  const endpoint = {
    kind,
    baseUrl: standIn.url,
    apiKey: 'sk-test',
    supportsStore: supportsStore ?? kind === 'openai',
  }
  const chat = createEndpointChat(endpoint, {
    modelMap,
    now: () => now ?? december2026,
  })
  const events: ModelEvent[] = []
  const turns: ModelRequest['turns'] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hello, how can I help?' },
    { role: 'user', content: 'What is a gazette?' },
  ]
  const signal = new AbortController().signal
  const reply = chat?.reply({ label, turns, allowWebSearch: false, signal, maxOutputTokens: 900, ...request })
  for await (const event of reply ?? []) events.push(event)
  const [captured, ...more] = standIn.requests
  expect(more).toEqual([])
  expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop', usage: { estimated: false } })
  return { path: captured?.path, headers: captured?.headers, body: captured?.body ?? {}, events }
}

const history = [
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: 'Hello, how can I help?' },
  { role: 'user', content: 'What is a gazette?' },
]
const streamed = { stream: true, stream_options: { include_usage: true } }
const samplingKeys = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty']

describe('the request to OpenAI for each label in December 2026', () => {
  it.each(['gpt-4o', 'gpt-4o-mini'] as const)('sends %s unchanged, with a temperature', async (label) => {
    const { path, body, headers } = await ask(label, { request: { cacheKey: 'channel-7' } })
    expect(path).toBe('/v1/chat/completions')
    expect(body).toEqual({
      model: label,
      ...streamed,
      store: false,
      temperature: 0.2,
      max_tokens: 900,
      prompt_cache_key: 'channel-7',
      messages: [{ role: 'system', content: 'Be brief.' }, ...history],
    })
    expect(headers).toMatchObject({ authorization: 'Bearer sk-test', 'accept-encoding': 'identity' })
  })

  it.each([
    ['o1', 'gpt-5.6-sol'],
    ['o3-mini', 'gpt-5.6-sol'],
    ['o1-mini', 'gpt-6-luna'],
    ['gpt-4o-mini-search-preview', 'gpt-6-luna'],
  ] as const)('sends %s as %s, with the parameters of a reasoning model', async (label, model) => {
    const { path, body } = await ask(label)
    expect(path).toBe('/v1/chat/completions')
    expect(body).toEqual({
      model,
      ...streamed,
      store: false,
      max_completion_tokens: 900,
      messages: [{ role: 'developer', content: 'Be brief.' }, ...history],
    })
  })

  it('sends o1-pro as pro reasoning without streaming', async () => {
    const { path, body, events } = await ask('o1-pro')
    expect(path).toBe('/v1/responses')
    expect(body).toMatchObject({
      model: 'gpt-5.6-sol',
      store: false,
      max_output_tokens: 900,
      reasoning: { mode: 'pro' },
    })
    expect(body['stream']).toBeUndefined()
    expect(body['reasoning']).toEqual({ mode: 'pro' })
    expect(body['input']).toMatchObject([
      { role: 'developer', content: 'Be brief.' },
      {},
      {},
      { role: 'user' },
    ])
    expect(events.map(({ type }) => type)).toEqual(['text', 'finish'])
  })

  it('searches the web for gpt-4o-mini-search-preview only if the channel allows it', async () => {
    const { path, body } = await ask('gpt-4o-mini-search-preview', { request: { allowWebSearch: true } })
    expect(path).toBe('/v1/responses')
    expect(body).toMatchObject({
      model: 'gpt-6-luna',
      stream: true,
      store: false,
      tools: [{ type: 'web_search' }],
    })
  })

  it('links web sources unless the text already does', async () => {
    const text = 'Rain tomorrow ([weather](https://weather.example/today)).'
    function createCitation(url: string, title: string) {
      return {
        type: 'url_citation',
        start_index: 0,
        end_index: 4,
        url,
        title,
      }
    }
    const annotations = [
      createCitation('https://weather.example/today', 'Weather'),
      createCitation('https://clouds.example/a_(b)', 'Clouds [today]'),
      createCitation('https://clouds.example/a_(b)', 'Clouds [today]'),
      createCitation('javascript:alert(1)', 'Trap'),
    ]
    const content = [{ type: 'output_text', text, annotations }]
    const output = [{ type: 'message', role: 'assistant', id: 'msg_1', content }]
    const usage = { input_tokens: 3, output_tokens: 4 }
    const body = JSON.stringify({ id: 'resp_1', created_at: 1, model: 'gpt-6-luna', output, usage })
    standIn.script({ fault: { kind: 'body', contentType: 'application/json', body } })
    const { events } = await ask('gpt-4o-mini-search-preview', { request: { allowWebSearch: true } })
    expect(events.slice(0, -1)).toEqual([
      { type: 'text', text },
      { type: 'text', text: '\n\n- [Clouds today](https://clouds.example/a_%28b%29)' },
    ])
  })

  it.each(['gpt-4o', 'o1'] as const)(
    'never searches the web for %s, even if the channel allows it',
    async (label) => {
      const { body } = await ask(label, { request: { allowWebSearch: true } })
      expect(body['tools']).toBeUndefined()
    },
  )

  it('uses the successor of gpt-4o from its retirement date on', async () => {
    const { body } = await ask('gpt-4o', { now: Date.parse('2027-01-14T00:00:00Z') })
    expect(body).toMatchObject({ model: 'gpt-6-luna', max_completion_tokens: 900 })
  })
})

describe('the request to retired models that are mapped to themselves', () => {
  it('prepends instructions to the first user turn for o1-mini', async () => {
    const { body } = await ask('o1-mini', { modelMap: { 'o1-mini': 'o1-mini' } })
    expect(body['messages']).toEqual([{ role: 'user', content: 'Be brief.\n\nHello' }, ...history.slice(1)])
    for (const key of samplingKeys) expect(body[key]).toBeUndefined()
  })

  it('uses the responses format without streaming for o1-pro', async () => {
    const { path, body } = await ask('o1-pro', { modelMap: { 'o1-pro': 'o1-pro' } })
    expect(path).toBe('/v1/responses')
    expect(body['stream']).toBeUndefined()
    expect(body['reasoning']).toBeUndefined()
  })

  it('sends no sampling parameters for gpt-4o-mini-search-preview', async () => {
    const modelMap = { 'gpt-4o-mini-search-preview': 'gpt-4o-mini-search-preview' }
    const { path, body } = await ask('gpt-4o-mini-search-preview', {
      modelMap,
      request: { allowWebSearch: true },
    })
    expect(path).toBe('/v1/chat/completions')
    for (const key of samplingKeys) expect(body[key]).toBeUndefined()
  })

  it('refuses a model that always searches when web search is not allowed', async () => {
    const modelMap = { '*': 'gpt-4o-search-preview' }
    await expect(ask('gpt-4o', { modelMap })).rejects.toMatchObject({ code: 'assistant.not_configured' })
    expect(standIn.requests).toEqual([])
  })
})

describe('the request to a compatible server', () => {
  it('uses the chat format without optional fields for a local model', async () => {
    const { path, body } = await ask('o1', { kind: 'compatible', modelMap: { '*': 'llama3.2:3b' } })
    expect(path).toBe('/v1/chat/completions')
    expect(body).toEqual({
      model: 'llama3.2:3b',
      ...streamed,
      temperature: 0.2,
      max_tokens: 900,
      messages: [{ role: 'system', content: 'Be brief.' }, ...history],
    })
  })

  it('sends Azure max_completion_tokens and store: false', async () => {
    const { body } = await ask('o3-mini', { kind: 'compatible', supportsStore: true })
    expect(body).toMatchObject({ model: 'gpt-5.6-sol', max_completion_tokens: 900, store: false })
    expect(body['max_tokens']).toBeUndefined()
    expect(body['temperature']).toBeUndefined()
  })

  it('never requests web search', async () => {
    const { path, body } = await ask('gpt-4o-mini-search-preview', {
      kind: 'compatible',
      request: { allowWebSearch: true },
    })
    expect(path).toBe('/v1/chat/completions')
    expect(body['tools']).toBeUndefined()
  })
})

describe('pictures in a request', () => {
  const png = createPngHeader(800, 600)
  const url = `data:image/png;base64,${png.toString('base64')}`
  const turns = [
    { role: 'user', content: 'Look at “picture:1”' },
    { role: 'assistant', content: 'At what?' },
    { role: 'user', content: 'At this' },
  ] as const

  async function askAbout(label: LanguageModel, kind: Endpoint['kind']) {
    const picture = { mimeType: 'image/png', base64: await readBase64(Readable.from([png])), tokens: 765 }
    const request = { turns: turns.map((turn, at) => (at === 2 ? { ...turn, pictures: [picture] } : turn)) }
    return ask(label, { kind, request })
  }

  it.each(['openai', 'compatible'] as const)(
    'are parts of a message in a chat completion (%s)',
    async (kind) => {
      const { body } = await askAbout('gpt-4o', kind)
      const content = [
        { type: 'text', text: 'At this' },
        { type: 'image_url', image_url: { url } },
      ]
      expect(body['messages']).toEqual([...turns.slice(0, 2), { role: 'user', content }])
    },
  )

  it('are parts of a message in a response', async () => {
    const { body } = await askAbout('o1-pro', 'openai')
    const content = [
      { type: 'input_text', text: 'At this' },
      { type: 'input_image', image_url: url },
    ]
    expect((body['input'] as unknown[]).at(-1)).toEqual({ role: 'user', content })
  })
})
