import { expect, it } from 'vitest'
import { rowsToFill } from './first-rows.ts'

const short = { content: 'Yes.' }
const long = { content: 'word '.repeat(400) }

it('takes the last messages until they fill the view', () => {
  expect(rowsToFill(Array(60).fill(short), 800)).toBe(9)
  expect(rowsToFill([...Array(60).fill(short), long, long], 800)).toBe(2)
  expect(rowsToFill([...Array(60).fill(long), short, short], 800)).toBe(4)
})

it('takes all of a chat that is shorter than the view', () => {
  expect(rowsToFill([short, short], 800)).toBe(2)
  expect(rowsToFill([], 800)).toBe(0)
})
