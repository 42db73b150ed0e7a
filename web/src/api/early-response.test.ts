import { afterEach, describe, expect, it } from 'vitest'
import { takeEarlyResponse } from './early-response.ts'

const url = '/api/chat/1/chats/2?limit=60'
const response = Promise.resolve(new Response('{}'))

function sendEarly(ageMs = 0): void {
  globalThis.earlyRequest = { url, token: 'secret', response, sentAt: performance.now() - ageMs }
}

afterEach(() => {
  globalThis.earlyRequest = undefined
})

describe('takeEarlyResponse', () => {
  it('returns the response once', () => {
    sendEarly()
    expect(takeEarlyResponse(url, 'secret')).toBe(response)
    expect(takeEarlyResponse(url, 'secret')).toBeNull()
  })

  it('keeps the response for the call that needs it', () => {
    sendEarly()
    expect(takeEarlyResponse('/api/channels', 'secret')).toBeNull()
    expect(takeEarlyResponse(url, 'secret')).toBe(response)
  })

  it('forbids a request that the script would send after the application', () => {
    expect(takeEarlyResponse('/api/channels', 'secret')).toBeNull()
    expect(globalThis.earlyRequest).toBeNull()
  })

  it('rejects a response for another session', () => {
    sendEarly()
    expect(takeEarlyResponse(url, 'other')).toBeNull()
  })

  it('rejects a response that is older than 10 seconds', () => {
    sendEarly(10_000)
    expect(takeEarlyResponse(url, 'secret')).toBeNull()
  })
})
