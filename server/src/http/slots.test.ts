import { describe, expect, it } from 'vitest'
import { createSlots, type SlotKind } from './slots.ts'

const limits: [kind: SlotKind, each: number, all: number][] = [
  ['request', 40, 200],
  ['file', 40, 500],
  ['stream', 20, 500],
  ['upload', 2, 50],
  ['export', 2, 20],
]

describe.each(limits)('the slots of kind %s', (kind, each, all) => {
  it(`are limited to ${each} for one caller`, () => {
    const slots = createSlots()
    const freeFirst = slots.take(kind, 'ada')
    for (let taken = 1; taken < each; taken += 1) slots.take(kind, 'ada')
    expect(() => slots.take(kind, 'ada')).toThrow(expect.objectContaining({ code: 'rate.limited' }))
    slots.take(kind, 'bob')
    freeFirst()
    freeFirst()
    slots.take(kind, 'ada')
    expect(() => slots.take(kind, 'ada')).toThrow()
  })

  it(`are limited to ${all} for everyone`, () => {
    const slots = createSlots()
    const frees = Array.from({ length: all }, (_, caller) => slots.take(kind, `user ${caller}`))
    expect(() => slots.take(kind, 'ada')).toThrow(expect.objectContaining({ code: 'server.busy' }))
    frees[0]?.()
    slots.take(kind, 'ada')
  })

  it('do not count other kinds', () => {
    const slots = createSlots()
    for (const [other, count] of limits)
      if (other !== kind) for (let taken = 0; taken < count; taken += 1) slots.take(other, 'ada')
    slots.take(kind, 'ada')
  })
})
