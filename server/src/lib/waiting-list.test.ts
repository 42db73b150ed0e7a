import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWaitingList } from './waiting-list.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function createRefusal(): Error {
  return new Error('refused')
}

const patience = { burst: 100, inBurst: 3000, afterBurst: 500 }

/** Waits in the list. Tells how that ended, if it has. */
function watch(waiting: Promise<void>) {
  const one = { result: 'waiting' }
  void waiting.then(
    () => {
      one.result = 'called'
    },
    (error: Error) => {
      one.result = error.message
    },
  )
  return one
}

describe('a waiting list', () => {
  it('calls the one that has waited longest', async () => {
    const list = createWaitingList({ createRefusal })
    expect(list.callNext()).toBe(false)
    const [first, second] = [watch(list.wait()), watch(list.wait())]
    expect(list.size).toBe(2)
    expect(list.callNext()).toBe(true)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect([first.result, second.result, list.size]).toEqual(['called', 'waiting', 1])
  })

  it('refuses another one when it is full', async () => {
    const list = createWaitingList({ maxWaiting: 1, createRefusal })
    const first = watch(list.wait())
    await expect(list.wait()).rejects.toThrow('refused')
    list.callNext()
    watch(list.wait())
    await vi.advanceTimersByTimeAsync(0)
    expect([first.result, list.size]).toEqual(['called', 1])
  })

  it('lets a burst wait for long, and those that keep coming after it for a moment', async () => {
    const list = createWaitingList({ patience, createRefusal })
    for (let count = 0; count < 4; count += 1) watch(list.wait())
    const first = watch(list.wait())
    await vi.advanceTimersByTimeAsync(99)
    const inBurst = watch(list.wait())
    for (let count = 0; count < 4; count += 1) list.callNext()
    await vi.advanceTimersByTimeAsync(1)
    const later = watch(list.wait())
    await vi.advanceTimersByTimeAsync(499)
    expect(later.result).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect([first.result, inBurst.result, later.result]).toEqual(['waiting', 'waiting', 'refused'])
    await vi.advanceTimersByTimeAsync(2400)
    expect([first.result, inBurst.result]).toEqual(['refused', 'waiting'])
    list.callNext()
    await vi.advanceTimersByTimeAsync(3000)
    expect([inBurst.result, list.size]).toEqual(['called', 0])
  })

  it('refuses at once while more wait than were called in the time that another one may wait', async () => {
    const list = createWaitingList({ patience, createRefusal })
    for (let count = 0; count < 4; count += 1) watch(list.wait())
    await vi.advanceTimersByTimeAsync(99)
    expect(list.isFull).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(list.isFull).toBe(true)
    await expect(list.wait()).rejects.toThrow('refused')
    list.callNext()
    expect([list.size, list.isFull]).toEqual([3, true])
    list.callNext()
    expect([list.size, list.isFull]).toEqual([2, false])
    await vi.advanceTimersByTimeAsync(500)
    expect(list.isFull).toBe(true)
  })

  it('counts those that come to the empty list as a new burst', async () => {
    const list = createWaitingList({ patience, createRefusal })
    watch(list.wait())
    list.callNext()
    await vi.advanceTimersByTimeAsync(1000)
    const next = watch(list.wait())
    await vi.advanceTimersByTimeAsync(2999)
    expect(next.result).toBe('waiting')
  })
})
