import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Actor } from '../actor.ts'
import { createDenials, type Denial, type Denials } from './denials.ts'

function createActor(userId: string): Actor {
  return { userId } as Actor
}
function createDenial(userId: string, call: string) {
  return { actor: createActor(userId), call, status: 404, params: {} }
}

let recorded: [string, number][]
let denials: Denials
let writesAllowed: Promise<void>
const warn = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  recorded = []
  writesAllowed = Promise.resolve()
  denials = createDenials({
    record: async ({ call, count }: Denial) => {
      await writesAllowed
      recorded.push([call, count])
    },
    now: Date.now,
    log: { warn, error: vi.fn() } as never,
  })
})
afterEach(() => vi.useRealTimers())

describe('createDenials', () => {
  it('records the first of many denials at once and the rest once a minute', async () => {
    for (let second = 0; second < 180; second += 1) {
      denials.add(createDenial('a', 'GET /x'))
      await vi.advanceTimersByTimeAsync(1000)
    }
    await denials.close()
    expect(recorded.length).toBeLessThanOrEqual(5)
    expect(recorded[0]).toEqual(['GET /x', 1])
    expect(recorded.reduce((sum, [, count]) => sum + count, 0)).toBe(180)
  })

  it('counts denials per user and call', async () => {
    for (const [userId, call] of ['aX', 'aY', 'bX'].map((pair) => pair.split(''))) {
      denials.add(createDenial(userId ?? '', call ?? ''))
      denials.add(createDenial(userId ?? '', call ?? ''))
    }
    await denials.close()
    expect(recorded.toSorted()).toEqual(['X', 'X', 'X', 'X', 'Y', 'Y'].map((call) => [call, 1]))
  })

  it('drops denials that exceed the queue limit', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    writesAllowed = promise
    for (let call = 0; call < 800; call += 1) denials.add(createDenial('a', `GET /${call}`))
    expect(warn).toHaveBeenCalledTimes(300)
    resolve()
    await denials.close()
    expect(recorded).toHaveLength(500)
  })
})
