import { describe, expect, it } from 'vitest'
import { createSecretFilter, maskSecrets } from './mask-secrets.ts'
import { type Assistant, ModelError, type ModelEvent } from './port.ts'

const key = 'sk-0f1e2d3c4b5a6978'
const other = '0f1e2d-other-token'

function filter(secrets: readonly string[], ...pieces: string[]): string {
  const { push, end } = createSecretFilter(secrets)
  return pieces.map(push).join('') + end()
}

describe('createSecretFilter', () => {
  const text = `The key is ${key}, and again ${key}${key}.`
  const expected = 'The key is ••••••••, and again ••••••••••••••••.'

  it('masks a secret wherever a piece ends', () => {
    for (let at = 0; at <= text.length; at++)
      expect(filter([key, other], text.slice(0, at), text.slice(at))).toBe(expected)
    expect(filter([key, other], ...text)).toBe(expected)
  })

  it('masks the longer of two secrets that begin alike', () => {
    expect(filter(['abc', 'abcdef'], ...'abcdef abc abcd')).toBe('•••••••• •••••••• ••••••••d')
  })

  it('masks a secret that ends with the beginning of another', () => {
    expect(filter(['aXa', 'ab'], ...'aXa aXab')).toBe('•••••••• ••••••••b')
  })

  it('releases text at once unless a secret may have begun', () => {
    const { push, end } = createSecretFilter([key])
    expect(push('task')).toBe('ta')
    expect(push(' list')).toBe('sk list')
    expect(push(' sk-0')).toBe(' ')
    expect(end()).toBe('sk-0')
  })
})

describe('maskSecrets', () => {
  function createAssistant(events: () => AsyncGenerator<ModelEvent>): Assistant {
    const chat = {
      resolve: () => ({ actual: '', note: null, takesPictures: false }),
      withModelMap: () => chat,
      reply: events,
    }
    return { chat, embedder: null, reranker: null, external: null }
  }
  const request = {
    label: 'gpt-4o',
    turns: [],
    allowWebSearch: false,
    signal: new AbortController().signal,
  } as const

  async function collect(assistant: Assistant): Promise<{ text: string; error: unknown }> {
    let text = ''
    try {
      for await (const event of assistant.chat?.withModelMap({}).reply(request) ?? [])
        if (event.type === 'text') text += event.text
    } catch (error) {
      return { text, error }
    }
    return { text, error: null }
  }

  it('keeps the text before an error, masked', async () => {
    const failure = new ModelError('assistant.cut', 'lost')
    const assistant = createAssistant(async function* () {
      yield { type: 'text', text: `First ${key} then ${key.slice(0, 5)}` }
      throw failure
    })
    expect(await collect(maskSecrets(assistant, [key]))).toEqual({
      text: `First •••••••• then ${key.slice(0, 5)}`,
      error: failure,
    })
  })
})
