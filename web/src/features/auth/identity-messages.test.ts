import { afterEach, describe, expect, it, vi } from 'vitest'
import { answerIdentityRequests, requestIdentity, toIdentity } from './identity-messages.ts'

const ada = { email: 'ada@example.org', name: 'Ada' }
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const stop of cleanups.splice(0)) stop()
})

function dispatchMessage(data: unknown, origin: string, source: unknown): void {
  dispatchEvent(new MessageEvent('message', { data, origin, source: source as Window }))
}

function aFrame() {
  return { postMessage: vi.fn() }
}

describe('toIdentity', () => {
  it('uses the name, or the part of the email address before the @', () => {
    expect(toIdentity(ada)).toEqual(ada)
    expect(toIdentity({ email: 'ada@example.org', name: '  ' }).name).toBe('ada')
    expect(toIdentity({ email: 'ada@example.org' }).name).toBe('ada')
  })
})

describe('answerIdentityRequests', () => {
  it('answers requests from frames of this origin only', () => {
    cleanups.push(answerIdentityRequests(ada))
    const stranger = aFrame()
    dispatchMessage({ type: 'lyceum.identity-request' }, 'https://elsewhere.example', stranger)
    dispatchMessage({ type: 'something else' }, location.origin, stranger)
    dispatchMessage('lyceum.identity-request', location.origin, stranger)
    dispatchMessage(null, location.origin, stranger)
    expect(stranger.postMessage).not.toHaveBeenCalled()

    const own = aFrame()
    dispatchMessage({ type: 'lyceum.identity-request' }, location.origin, own)
    expect(own.postMessage).toHaveBeenCalledExactlyOnceWith(
      { type: 'lyceum.identity', ...ada },
      { targetOrigin: location.origin },
    )
  })

  it('stops answering when the returned function is called', () => {
    answerIdentityRequests(ada)()
    const own = aFrame()
    dispatchMessage({ type: 'lyceum.identity-request' }, location.origin, own)
    expect(own.postMessage).not.toHaveBeenCalled()
  })
})

describe('requestIdentity', () => {
  it('accepts answers only from the parent page and only from this origin', () => {
    const onIdentity = vi.fn()
    cleanups.push(requestIdentity(onIdentity))
    const message = { type: 'lyceum.identity', ...ada }
    dispatchMessage(message, 'https://elsewhere.example', window.parent)
    dispatchMessage(message, location.origin, aFrame())
    dispatchMessage({ type: 'lyceum.identity', email: 7 }, location.origin, window.parent)
    expect(onIdentity).not.toHaveBeenCalled()
    dispatchMessage(message, location.origin, window.parent)
    expect(onIdentity).toHaveBeenCalledExactlyOnceWith(ada)
  })
})
