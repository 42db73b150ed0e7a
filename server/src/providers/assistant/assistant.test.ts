import { languageModels } from '@lyceum/contract/channels'
import { describe, expect, it } from 'vitest'
import { createAssistant } from './assistant.ts'
import { readAssistantsEndpoint, readEndpoint } from './endpoint.ts'

const december2026 = Date.parse('2026-12-01')
const options = { modelMap: {}, now: () => december2026 }

describe('createAssistant', () => {
  it('provides nothing without an endpoint', () => {
    const nothing = { chat: null, embedder: null, reranker: null, external: null }
    expect(createAssistant(options)).toEqual(nothing)
    expect(createAssistant({ ...options, apiKey: '', baseUrl: '' })).toEqual(nothing)
  })

  it('needs only an API key or only a URL', () => {
    expect(createAssistant({ ...options, apiKey: 'sk-test' }).chat).not.toBeNull()
    expect(createAssistant({ ...options, baseUrl: 'http://localhost:11434/v1' }).chat).not.toBeNull()
  })

  it('embeds with the configured model, or not at all', () => {
    const embedding = { baseUrl: 'http://localhost:8080/v1', apiKey: '', queryPrefix: '', passagePrefix: '' }
    const model = 'bge-m3'
    const withoutChat = createAssistant({ ...options, embedding: { ...embedding, model } })
    expect([withoutChat.chat, withoutChat.embedder?.model]).toEqual([null, model])
    expect(createAssistant({ ...options, embedding: { ...embedding, model: '' } }).embedder).toBeNull()
    expect(createAssistant({ ...options, apiKey: 'sk-test', embedding: null }).embedder).toBeNull()
  })
})

describe('readAssistantsEndpoint', () => {
  const models = readEndpoint('key', 'https://models.example.org/v1')
  const openai = readEndpoint('key', undefined)
  function getKeyFor(address: string | undefined, key?: string) {
    return readAssistantsEndpoint(models, address, key)?.apiKey
  }

  it('returns the configured server, or the model endpoint unless that is OpenAI', () => {
    expect(readAssistantsEndpoint(null, undefined, undefined)).toBeNull()
    expect(readAssistantsEndpoint(openai, undefined, undefined)).toBeNull()
    expect(readAssistantsEndpoint(models, undefined, undefined)?.baseUrl.href).toBe(models?.baseUrl)
    const configured = 'https://agents.example.org/api/projects/p?api-version=v1'
    expect(readAssistantsEndpoint(openai, configured, undefined)?.baseUrl.href).toBe(configured)
  })

  it('uses the model key only for the model endpoint', () => {
    expect(getKeyFor(undefined)).toBe('key')
    expect(getKeyFor('https://models.example.org/assistants')).toBe('key')
    expect(getKeyFor('https://agents.example.org')).toBeNull()
    expect(getKeyFor('https://agents.example.org', 'other')).toBe('other')
    expect(getKeyFor('https://models.example.org/v1', 'other')).toBe('other')
  })

  it.each(['ftp://example.org', 'http://user:secret@example.org'])('rejects %s', (address) => {
    expect(() => readAssistantsEndpoint(null, address, undefined)).toThrow('ASSISTANTS_BASE_URL')
  })
})

describe('resolve', () => {
  function resolveAll(assistant: ReturnType<typeof createAssistant>) {
    return languageModels.map((label) => {
      const { actual, note } = assistant.chat?.resolve(label) ?? {}
      return `${label}: ${actual} (${note})`
    })
  }

  it('names the model that answers at OpenAI', () => {
    expect(resolveAll(createAssistant({ ...options, apiKey: 'sk-test' }))).toEqual([
      'gpt-4o: gpt-4o (null)',
      'gpt-4o-mini: gpt-4o-mini (null)',
      'o1: gpt-5.6-sol (o1 was retired on Oct 23, 2026. Replies come from gpt-5.6-sol.)',
      'o1-pro: gpt-5.6-sol (o1-pro was retired on Oct 23, 2026. Replies come from gpt-5.6-sol.)',
      'o3-mini: gpt-5.6-sol (o3-mini was retired on Oct 23, 2026. Replies come from gpt-5.6-sol.)',
      'o1-mini: gpt-6-luna (o1-mini was retired on Oct 27, 2025. Replies come from gpt-6-luna.)',
      'gpt-4o-mini-search-preview: gpt-6-luna (gpt-4o-mini-search-preview was retired on Jul 23, 2026. Replies come from gpt-6-luna.)',
    ])
  })

  it('switches on the day a model is retired', () => {
    let now = Date.parse('2027-01-13T23:59:59Z')
    const { chat } = createAssistant({ ...options, apiKey: 'sk-test', now: () => now })
    expect(chat?.resolve('gpt-4o')).toEqual({ actual: 'gpt-4o', note: null, takesPictures: true })
    now += 1000
    expect(chat?.resolve('gpt-4o').actual).toBe('gpt-6-luna')
  })

  it('uses the model map, where a label takes precedence over *, and follows its changes', () => {
    let modelMap: Record<string, string> = { '*': 'llama3.2:3b', o1: 'qwen3:8b' }
    const assistant = createAssistant({
      ...options,
      baseUrl: 'http://localhost:11434/v1',
      modelMap: () => modelMap,
    })
    expect(assistant.chat?.resolve('o1')).toEqual({
      actual: 'qwen3:8b',
      note: 'Replies for o1 come from qwen3:8b.',
      takesPictures: false,
    })
    expect(assistant.chat?.resolve('gpt-4o').actual).toBe('llama3.2:3b')
    modelMap = { 'gpt-4o': 'gpt-4o' }
    expect(assistant.chat?.resolve('gpt-4o')).toEqual({ actual: 'gpt-4o', note: null, takesPictures: true })
  })

  it('notes what a compatible server cannot do for a label', () => {
    const { chat } = createAssistant({
      ...options,
      baseUrl: 'http://localhost:11434/v1',
      modelMap: { '*': 'llama3' },
    })
    expect(chat?.resolve('gpt-4o-mini-search-preview').note).toContain('no web search')
    expect(chat?.resolve('o1-pro').note).toContain('no pro reasoning')
  })
})

describe('readEndpoint', () => {
  it('recognizes OpenAI by its host', () => {
    expect(readEndpoint('sk-test', undefined)).toMatchObject({
      kind: 'openai',
      baseUrl: 'https://api.openai.com/v1',
    })
    expect(readEndpoint('sk-test', 'https://api.openai.com/v1/')).toMatchObject({
      kind: 'openai',
      baseUrl: 'https://api.openai.com/v1',
    })
    expect(readEndpoint('sk-test', 'https://api.openai.com.example.org/v1')?.kind).toBe('compatible')
  })

  it('sends store: false to Azure but not to local servers', () => {
    expect(readEndpoint('k', 'https://x.openai.azure.com/openai/v1')).toMatchObject({
      kind: 'compatible',
      supportsStore: true,
    })
    expect(readEndpoint(undefined, 'http://localhost:11434/v1')).toMatchObject({
      apiKey: null,
      supportsStore: false,
    })
  })

  it.each(['ftp://example.org', 'file:///etc/passwd', 'http://user:secret@example.org', 'not a url'])(
    'rejects %s',
    (url) => {
      expect(() => readEndpoint('k', url)).toThrow()
    },
  )
})
