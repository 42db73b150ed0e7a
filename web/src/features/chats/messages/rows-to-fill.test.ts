import { expect, it } from 'vitest'
import { countRowsToFill } from './rows-to-fill.ts'

const short = { content: 'Yes.' }
const long = { content: 'word '.repeat(400) }

it('counts the last messages that fill the view', () => {
  expect(countRowsToFill(Array(60).fill(short), 800)).toBe(9)
  expect(countRowsToFill([...Array(60).fill(short), long, long], 800)).toBe(2)
  expect(countRowsToFill([...Array(60).fill(long), short, short], 800)).toBe(4)
})

it('counts all messages of a chat shorter than the view', () => {
  expect(countRowsToFill([short, short], 800)).toBe(2)
  expect(countRowsToFill([], 800)).toBe(0)
})
