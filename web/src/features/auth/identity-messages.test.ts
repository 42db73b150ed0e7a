import { afterEach, describe, expect, it, vi } from 'vitest'
import { answerIdentityRequests, requestIdentity, toIdentity } from './identity-messages.ts'

const ada = { email: 'ada@example.org', name: 'Ada' }
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

function arrive(data: unknown, origin: string, source: unknown): void {
  dispatchEvent(new MessageEvent('message', { data, origin, source: source as Window }))
}

function frame() {
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
    stops.push(answerIdentityRequests(ada))
    const stranger = frame()
    arrive({ type: 'lyceum.identity-request' }, 'https://elsewhere.example', stranger)
    arrive({ type: 'something else' }, location.origin, stranger)
    arrive('lyceum.identity-request', location.origin, stranger)
    arrive(null, location.origin, stranger)
    expect(stranger.postMessage).not.toHaveBeenCalled()

    const own = frame()
    arrive({ type: 'lyceum.identity-request' }, location.origin, own)
    expect(own.postMessage).toHaveBeenCalledExactlyOnceWith(
      { type: 'lyceum.identity', ...ada },
      { targetOrigin: location.origin },
    )
  })

  it('stops answering once stopped', () => {
    answerIdentityRequests(ada)()
    const own = frame()
    arrive({ type: 'lyceum.identity-request' }, location.origin, own)
    expect(own.postMessage).not.toHaveBeenCalled()
  })
})

describe('requestIdentity', () => {
  it('accepts answers only from the parent page and only from this origin', () => {
    const onIdentity = vi.fn()
    stops.push(requestIdentity(onIdentity))
    const message = { type: 'lyceum.identity', ...ada }
    arrive(message, 'https://elsewhere.example', window.parent)
    arrive(message, location.origin, frame())
    arrive({ type: 'lyceum.identity', email: 7 }, location.origin, window.parent)
    expect(onIdentity).not.toHaveBeenCalled()
    arrive(message, location.origin, window.parent)
    expect(onIdentity).toHaveBeenCalledExactlyOnceWith(ada)
  })
})
