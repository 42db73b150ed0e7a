import { describe, expect, it } from 'vitest'
import { listTerms, parseQuestion } from '../../answering/terms.ts'
import { countWords, selectPassages } from './rank-passages.ts'

interface Sample {
  text: string
  tokens?: number
  isNew?: boolean
}

function select(question: string, samples: readonly Sample[]) {
  const words = parseQuestion(question)
  const passages = samples.map(({ text, tokens = 400, isNew = false }, ordinal) => {
    const terms = listTerms(text).join(' ')
    return {
      ...{ attachment_id: 'a', ordinal, terms, tokens, isNew },
      counts: countWords(words, { terms }),
    }
  })
  return selectPassages(passages, words.length)
}

function selectOrdinals(question: string, samples: readonly Sample[]): number[] {
  return select(question, samples).map(({ ordinal }) => ordinal)
}

const rent = 'The rents are paid on the first day of the month.'
const lease = 'The lease ends in May. A lease can be renewed, and the renewed lease has the same rent.'
const garden = 'The garden behind the house is watered in the evening.'

describe('selectPassages', () => {
  it('selects nothing from earlier files if no word of the question occurs', () => {
    expect(select('Who repairs the roof?', [{ text: rent }, { text: garden }])).toEqual([])
    expect(select('And?', [{ text: rent }])).toEqual([])
  })

  it('puts passages with rare and repeated words first, whatever their form', () => {
    expect(selectOrdinals('When does the renewed lease end?', [{ text: rent }, { text: lease }])).toEqual([1])
    expect(
      selectOrdinals('Which rent has a lease?', [{ text: rent }, { text: garden }, { text: lease }]),
    ).toEqual([2, 0])
  })

  it('matches scripts without spaces', () => {
    expect(selectOrdinals('休?', [{ text: garden }, { text: '休暇は年に二十日です。' }])).toEqual([1])
    expect(
      selectOrdinals('休暇は何日ですか', [{ text: garden }, { text: '休暇は年に二十日です。' }]),
    ).toEqual([1])
  })

  it('adds the beginning of files attached to this question', () => {
    const samples = [{ text: garden, isNew: true }, { text: rent, isNew: true }, { text: lease }]
    expect(selectOrdinals('What is this about?', samples)).toEqual([0, 1])
    expect(selectOrdinals('When does the lease end?', samples)).toEqual([2, 0, 1])
  })

  it('keeps within its budget', () => {
    const long = Array.from({ length: 40 }, () => ({ text: rent, tokens: 500, isNew: true }))
    expect(select('How is the rent paid?', long)).toHaveLength(8)
    const short = Array.from({ length: 40 }, () => ({ text: rent, tokens: 10, isNew: true }))
    expect(select('How is the rent paid?', short)).toHaveLength(12)
  })

  it('tells which share of the words a passage contains', () => {
    const [found] = select('How is the rent paid?', [{ text: rent }, { text: garden }])
    expect(found?.match).toBeCloseTo(1)
    const [half] = select('Is the rent discounted?', [{ text: rent }, { text: garden }])
    expect(half?.match).toBeLessThan(0.6)
  })
})
