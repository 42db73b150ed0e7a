import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultTimeouts, startDeadline } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start(isReasoning = false, caller = new AbortController().signal) {
  return startDeadline(defaultTimeouts, isReasoning, caller)
}

describe('the first output timeout', () => {
  it.each([
    [false, 60],
    [true, 180],
  ])('depends on whether the model reasons (%s): %i s', (isReasoning, seconds) => {
    const deadline = start(isReasoning)
    deadline.markReadStarted()
    vi.advanceTimersByTime(seconds * 1000 - 1)
    expect(deadline.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(deadline.signal.aborted).toBe(true)
    expect(deadline.getTimeoutError()).toMatchObject({
      code: 'assistant.timeout',
      detail: `no first output within ${seconds} s`,
    })
  })

  it('is not reset by keep-alive comments', () => {
    const deadline = start()
    for (let second = 0; second < 60; second++) {
      deadline.markReadStarted()
      vi.advanceTimersByTime(1000)
      deadline.markReadEnded()
    }
    expect(deadline.getTimeoutError()?.detail).toContain('no first output')
  })

  it('stops at the first output', () => {
    const deadline = start()
    deadline.markOutputStarted()
    vi.advanceTimersByTime(299_000)
    expect(deadline.signal.aborted).toBe(false)
  })
})

describe('the idle timeout', () => {
  it('expires 30 s after the last read', () => {
    const deadline = start()
    deadline.markOutputStarted()
    deadline.markReadStarted()
    vi.advanceTimersByTime(29_000)
    deadline.markReadEnded()
    deadline.markReadStarted()
    vi.advanceTimersByTime(29_999)
    expect(deadline.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(deadline.getTimeoutError()).toMatchObject({
      code: 'assistant.timeout',
      detail: 'no further output within 30 s',
    })
  })

  it('applies to a read already in progress at the first output', () => {
    const deadline = start()
    deadline.markReadStarted()
    deadline.markOutputStarted()
    vi.advanceTimersByTime(30_000)
    expect(deadline.signal.aborted).toBe(true)
  })

  it('ignores pauses of our own reader', () => {
    const deadline = start()
    deadline.markOutputStarted()
    deadline.markReadStarted()
    deadline.markReadEnded()
    vi.advanceTimersByTime(200_000)
    expect(deadline.signal.aborted).toBe(false)
  })
})

describe('the whole call', () => {
  it('expires after 300 s', () => {
    const deadline = start()
    deadline.markOutputStarted()
    vi.advanceTimersByTime(300_000)
    expect(deadline.getTimeoutError()?.detail).toBe('no complete answer within 300 s')
  })

  it('leaves no timer and no connection behind', () => {
    const deadline = start()
    deadline.markOutputStarted()
    deadline.markReadStarted()
    deadline.end()
    expect(deadline.signal.aborted).toBe(true)
    expect(deadline.getTimeoutError()).toBeNull()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends with its caller without reporting a timeout', () => {
    const controller = new AbortController()
    const deadline = start(false, controller.signal)
    controller.abort(new Error('stopped'))
    expect(deadline.signal.reason).toMatchObject({ message: 'stopped' })
    expect(deadline.getTimeoutError()).toBeNull()
  })
})
