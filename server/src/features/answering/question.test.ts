import { describe, expect, it } from 'vitest'
import { findContextQuestion, isDependent } from './question.ts'

describe('isDependent', () => {
  it.each([
    'And in Norway?',
    'Why?',
    'How long does it take to approve a travel request?',
    'Wie lange dauert das?',
  ])('returns true for %j', (question) => expect(isDependent(question)).toBe(true))

  it('returns false for a self-contained question', () => {
    expect(isDependent('What daily allowance is paid for travel in Norway?')).toBe(false)
    expect(isDependent('What is the daily allowance for Japan?')).toBe(false)
  })
})

describe('findContextQuestion', () => {
  const history = [
    { role: 'user' as const, content: 'What daily allowance is paid for travel?' },
    { role: 'assistant' as const, content: 'It is 62 euros.' },
    { role: 'user' as const, content: 'And you?' },
  ]

  it('returns the last question with content words for a dependent one', () => {
    expect(findContextQuestion('And in Norway?', history)).toBe('What daily allowance is paid for travel?')
  })

  it('returns nothing for a self-contained question or at the beginning of a chat', () => {
    expect(
      findContextQuestion('Which travel documents must managers keep for the yearly audits?', history),
    ).toBeUndefined()
    expect(findContextQuestion('And in Norway?', [])).toBeUndefined()
  })
})
