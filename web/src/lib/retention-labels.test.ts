import { describe, expect, it } from 'vitest'
import { describeCleanup, isShorter } from './retention-labels.ts'

describe('retention labels', () => {
  it.each([
    [null, null, false],
    [null, 30, false],
    [30, null, true],
    [30, 30, false],
    [29, 30, true],
    [31, 30, false],
  ])('tells whether %j is shorter than %j', (next, current, shorter) => {
    expect(isShorter(next, current)).toBe(shorter)
  })

  it.each([
    [null, /could not be counted/],
    [{ chats: 0, isCut: false }, /not delete any chats yet/],
    [{ chats: 1, isCut: false }, /permanently delete 1 chat with/],
    [{ chats: 1200, isCut: false }, /permanently delete 1,200 chats with/],
    [{ chats: 100_000, isCut: true }, /more than 100,000 chats/],
  ])('describes the clean-up of %j', (preview, text) => {
    expect(describeCleanup(preview)).toMatch(text)
  })
})
