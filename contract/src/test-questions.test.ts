import { describe, expect, it } from 'vitest'
import { changeSince } from './test-questions.ts'

const found = { question: 'When?', expected: [{ _id: 'a' }, { _id: 'b' }], isFound: true }
const missed = { ...found, isFound: false }

describe('changeSince', () => {
  it.each([
    ['gained', 'what was missed is found', found, missed],
    ['lost', 'what was found is missed', missed, found],
    ['same', 'both found it', found, { ...found, expected: [{ _id: 'b' }, { _id: 'a' }] }],
    ['same', 'both missed it', missed, missed],
    ['new', 'it was not asked', found, undefined],
    ['new', 'it asked something else', found, { ...missed, question: 'Where?' }],
    ['new', 'it expected less', found, { ...missed, expected: [{ _id: 'a' }] }],
    ['new', 'it expected something else', found, { ...missed, expected: [{ _id: 'a' }, { _id: 'c' }] }],
  ])('returns %s when %s', (change, _, now, earlier) => {
    expect(changeSince(now, earlier)).toBe(change)
  })
})
