import { describe, expect, it } from 'vitest'
import { goingInWords, isShorter } from './retention-labels.ts'

describe('how long chats are kept', () => {
  it.each([
    [null, null, false],
    [null, 30, false],
    [30, null, true],
    [30, 30, false],
    [29, 30, true],
    [31, 30, false],
  ])('says of %j after %j whether it is shorter', (next, present, shorter) => {
    expect(isShorter(next, present)).toBe(shorter)
  })

  it.each([
    [null, /could not be counted/],
    [{ chats: 0, isCut: false }, /no chat yet/],
    [{ chats: 1, isCut: false }, /delete 1 chat for good/],
    [{ chats: 1200, isCut: false }, /delete 1,200 chats for good/],
    [{ chats: 100_000, isCut: true }, /more than 100,000 chats/],
  ])('says of %j what will go', (preview, words) => {
    expect(goingInWords(preview)).toMatch(words)
  })
})
