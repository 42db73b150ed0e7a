import { describe, expect, it } from 'vitest'
import { findContextQuestion, findEarlierQuestion, isDependent } from './question.ts'

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

const history = [
  { role: 'user' as const, content: 'What daily allowance is paid for travel?' },
  { role: 'assistant' as const, content: 'It is 62 euros.' },
  { role: 'user' as const, content: 'And you?' },
]

describe('findEarlierQuestion', () => {
  it('returns nothing at the beginning of a chat, or after messages without content words', () => {
    expect(findEarlierQuestion([])).toBeUndefined()
    expect(findEarlierQuestion(history.slice(1))).toBeUndefined()
  })

  it('returns the last question with content words, shortened', () => {
    expect(findEarlierQuestion(history)).toBe('What daily allowance is paid for travel?')
    expect(findEarlierQuestion([{ role: 'user', content: 'travel '.repeat(1000) }])).toHaveLength(1000)
  })
})

describe('findContextQuestion', () => {
  it('returns the earlier question for a dependent one', () => {
    expect(findContextQuestion('And in Norway?', history)).toBe('What daily allowance is paid for travel?')
  })

  it('returns nothing for a self-contained question or at the beginning of a chat', () => {
    expect(
      findContextQuestion('Which travel documents must managers keep for the yearly audits?', history),
    ).toBeUndefined()
    expect(findContextQuestion('And in Norway?', [])).toBeUndefined()
  })
})
