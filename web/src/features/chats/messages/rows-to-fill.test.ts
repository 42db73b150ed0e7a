import { beforeEach, expect, it, vi } from 'vitest'
import { countRowsToFill } from './rows-to-fill.ts'

const short = { content: 'Yes.' }
const medium = { content: 'word '.repeat(80) }
const long = { content: 'word '.repeat(400) }

beforeEach(() => {
  vi.stubGlobal('innerHeight', 800)
  vi.stubGlobal('innerWidth', 1440)
})

it('counts the last messages that fill the window', () => {
  expect(countRowsToFill(Array(60).fill(short))).toBe(9)
  expect(countRowsToFill([...Array(60).fill(short), long, long])).toBe(2)
  expect(countRowsToFill([...Array(60).fill(long), short, short])).toBe(4)
})

it('counts fewer messages in a narrow window, where they have more lines', () => {
  expect(countRowsToFill(Array(60).fill(medium))).toBe(5)
  vi.stubGlobal('innerWidth', 360)
  expect(countRowsToFill(Array(60).fill(medium))).toBe(3)
})

it('counts all messages of a chat shorter than the window', () => {
  expect(countRowsToFill([short, short])).toBe(2)
  expect(countRowsToFill([])).toBe(0)
})
