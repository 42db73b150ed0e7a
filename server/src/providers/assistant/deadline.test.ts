import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startDeadline, usualTimeouts } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start(isReasoning = false, caller = new AbortController().signal) {
  return startDeadline(usualTimeouts, isReasoning, caller)
}

describe('the first word', () => {
  it.each([
    [false, 60],
    [true, 180],
  ])('is waited for as long as the model may think (reasoning: %s): %i s', (isReasoning, seconds) => {
    const deadline = start(isReasoning)
    deadline.waiting()
    vi.advanceTimersByTime(seconds * 1000 - 1)
    expect(deadline.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(deadline.signal.aborted).toBe(true)
    expect(deadline.expired()).toMatchObject({
      code: 'assistant.timeout',
      detail: `no first word within ${seconds} s`,
    })
  })

  it('does not come by signs of life', () => {
    const deadline = start()
    for (let second = 0; second < 60; second++) {
      deadline.waiting()
      vi.advanceTimersByTime(1000)
      deadline.arrived()
    }
    expect(deadline.expired()?.detail).toContain('no first word')
  })

  it('ends its clock', () => {
    const deadline = start()
    deadline.outputBegan()
    vi.advanceTimersByTime(299_000)
    expect(deadline.signal.aborted).toBe(false)
  })
})

describe('silence', () => {
  it('lasts 30 s from the last sign of life', () => {
    const deadline = start()
    deadline.outputBegan()
    deadline.waiting()
    vi.advanceTimersByTime(29_000)
    deadline.arrived()
    deadline.waiting()
    vi.advanceTimersByTime(29_999)
    expect(deadline.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(deadline.expired()).toMatchObject({
      code: 'assistant.timeout',
      detail: 'no further word within 30 s',
    })
  })

  it('counts for a read that was under way at the first word', () => {
    const deadline = start()
    deadline.waiting()
    deadline.outputBegan()
    vi.advanceTimersByTime(30_000)
    expect(deadline.signal.aborted).toBe(true)
  })

  it('is not the pause of our own reader', () => {
    const deadline = start()
    deadline.outputBegan()
    deadline.waiting()
    deadline.arrived()
    vi.advanceTimersByTime(200_000)
    expect(deadline.signal.aborted).toBe(false)
  })
})

describe('the whole', () => {
  it('takes 300 s at most', () => {
    const deadline = start()
    deadline.outputBegan()
    vi.advanceTimersByTime(300_000)
    expect(deadline.expired()?.detail).toBe('no end of the answer within 300 s')
  })

  it('leaves no clock and no connection behind', () => {
    const deadline = start()
    deadline.outputBegan()
    deadline.waiting()
    deadline.end()
    expect(deadline.signal.aborted).toBe(true)
    expect(deadline.expired()).toBeNull()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends with its caller, who is no timeout', () => {
    const controller = new AbortController()
    const deadline = start(false, controller.signal)
    controller.abort(new Error('stopped'))
    expect(deadline.signal.reason).toMatchObject({ message: 'stopped' })
    expect(deadline.expired()).toBeNull()
  })
})
