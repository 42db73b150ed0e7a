import { afterEach, describe, expect, it, vi } from 'vitest'
import { answerIdentityRequests, askForIdentity, identityOf } from './identity-messages.ts'

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

describe('who one is to a frame', () => {
  it('is the name, or without one the part of the address before the @', () => {
    expect(identityOf(ada)).toEqual(ada)
    expect(identityOf({ email: 'ada@example.org', name: '  ' }).name).toBe('ada')
    expect(identityOf({ email: 'ada@example.org' }).name).toBe('ada')
  })

  it('is told to frames of this origin that ask, and to nobody else', () => {
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

  it('is not told any more once the page is left', () => {
    answerIdentityRequests(ada)()
    const own = frame()
    arrive({ type: 'lyceum.identity-request' }, location.origin, own)
    expect(own.postMessage).not.toHaveBeenCalled()
  })
})

describe('a frame', () => {
  it('believes the page around it, of its own origin, alone', () => {
    const onAnswer = vi.fn()
    stops.push(askForIdentity(onAnswer))
    const told = { type: 'lyceum.identity', ...ada }
    arrive(told, 'https://elsewhere.example', window.parent)
    arrive(told, location.origin, frame())
    arrive({ type: 'lyceum.identity', email: 7 }, location.origin, window.parent)
    expect(onAnswer).not.toHaveBeenCalled()
    arrive(told, location.origin, window.parent)
    expect(onAnswer).toHaveBeenCalledExactlyOnceWith(ada)
  })
})
