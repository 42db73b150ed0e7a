import { describe, expect, it } from 'vitest'
import { toModelTitle, toTitle } from './title-text.ts'

describe('toTitle', () => {
  it.each([
    ['How many days of leave do I have?', 'How many days of leave do I have?'],
    ['  What is **`x`**\n\nin $x^2$? ', 'What is x in x²?'],
    [
      'Could you please tell me how many vacation days I can carry over into next year?',
      'Could you please tell me how many vacation days I can carry…',
    ],
    ['First line, which is rather long, comma after thirty-eight, and the rest', null],
    ['x'.repeat(80), `${'x'.repeat(59)}…`],
    ['😀'.repeat(70), `${'😀'.repeat(59)}…`],
    ['休暇は何日ありますか', '休暇は何日ありますか'],
  ])('is the beginning of the question: %j', (question, expected) => {
    const title = toTitle(question)
    if (expected !== null) expect(title).toBe(expected)
    expect([...(title ?? '')].length).toBeLessThanOrEqual(60)
  })

  it('ends after a whole word and without punctuation', () => {
    expect(toTitle(`${'word '.repeat(10)}comma, and the rest of it`)).toBe(`${'word '.repeat(10)}comma…`)
  })

  it.each(['***', '``` ```', '?!', '\u200B'])('is null if there is no plain text in %j', (question) => {
    expect(toTitle(question)).toBeNull()
  })
})

describe('toModelTitle', () => {
  it.each([
    ['Vacation days', 'Vacation days'],
    ['Title: "Vacation days."', 'Vacation days'],
    ['**Urlaub** in\nder Probezeit', 'Urlaub in der Probezeit'],
    ['„Resturlaub“', 'Resturlaub'],
  ])('removes what is not part of the title: %j', (text, title) => {
    expect(toModelTitle(text)).toBe(title)
  })

  it.each(['', ' ', '"."', '<think>What could', 'word '.repeat(13), 'long '.repeat(61)])(
    'rejects %j',
    (text) => {
      expect(toModelTitle(text)).toBeNull()
    },
  )
})
