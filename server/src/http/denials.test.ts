import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Actor } from '../actor.ts'
import { createDenials, type Denial, type Denials } from './denials.ts'

function actor(userId: string): Actor {
  return { userId } as Actor
}
function denied(userId: string, call: string) {
  return { actor: actor(userId), call, status: 404, asked: {} }
}

let entered: [string, number][]
let denials: Denials
let hold: Promise<void>
const warn = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  entered = []
  hold = Promise.resolve()
  denials = createDenials({
    enter: async ({ call, count }: Denial) => {
      await hold
      entered.push([call, count])
    },
    now: Date.now,
    log: { warn, error: vi.fn() } as never,
  })
})
afterEach(() => vi.useRealTimers())

describe('denials', () => {
  it('tells of a flood once at once and then once a minute', async () => {
    for (let second = 0; second < 180; second += 1) {
      denials.note(denied('a', 'GET /x'))
      await vi.advanceTimersByTimeAsync(1000)
    }
    await denials.close()
    expect(entered.length).toBeLessThanOrEqual(5)
    expect(entered[0]).toEqual(['GET /x', 1])
    expect(entered.reduce((sum, [, count]) => sum + count, 0)).toBe(180)
  })

  it('keeps people and calls apart', async () => {
    for (const [who, call] of ['aX', 'aY', 'bX'].map((pair) => pair.split(''))) {
      denials.note(denied(who ?? '', call ?? ''))
      denials.note(denied(who ?? '', call ?? ''))
    }
    await denials.close()
    expect(entered.toSorted()).toEqual(['X', 'X', 'X', 'X', 'Y', 'Y'].map((call) => [call, 1]))
  })

  it('never lets more wait than it can hold', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    hold = promise
    for (let call = 0; call < 800; call += 1) denials.note(denied('a', `GET /${call}`))
    expect(warn).toHaveBeenCalledTimes(300)
    resolve()
    await denials.close()
    expect(entered).toHaveLength(500)
  })
})
