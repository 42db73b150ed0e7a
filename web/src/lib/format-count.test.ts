import { expect, it } from 'vitest'
import { formatCount } from './format-count.ts'

it.each([
  [0, '0 chats'],
  [1, '1 chat'],
  [1024, '1,024 chats'],
])('formats %i as "%s"', (count, text) => {
  expect(formatCount(count, 'chat')).toBe(text)
})

it('takes an irregular plural', () => {
  expect(formatCount(2, 'entry', 'entries')).toBe('2 entries')
})
