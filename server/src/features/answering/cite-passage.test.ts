import { describe, expect, it } from 'vitest'
import type { FoundPassage } from '../documents/retrieval/retrieval.ts'
import { citePassage } from './cite-passage.ts'
import { createWordRarity } from './quotation.ts'

const text = [
  'The daily allowance is paid for a full day of 24 hours.',
  '',
  'Country: Japan | Daily allowance: 66 euros',
  'Country: Norway | Daily allowance: 80 euros',
].join('\n')

const passage: FoundPassage = {
  passageId: 'passage',
  documentId: 'document',
  versionId: 'version',
  version: 1,
  title: 'Travel policy',
  fileType: 'pdf',
  page: 4,
  pageBreaks: [[1000 + text.indexOf('Country: Norway'), 5]],
  headingPath: ['Allowances'],
  charStart: 1000,
  charEnd: 1000 + text.length,
  text,
  tokens: 40,
  ordinal: 3,
  generation: 'generation',
  score: 1,
  lexical: 1,
  similarity: null,
  coverage: 1,
  match: 1,
  wordsRank: 1,
  meaningRank: null,
}

const weigh = createWordRarity([text])

describe('citePassage', () => {
  it('quotes what is closest to the question, even if the earlier question matches more elsewhere', () => {
    const { quote } = citePassage(1, passage, {
      wording: 'What is the allowance for Japan?',
      context: 'For how many full days is it paid?',
      weigh,
    })
    expect(quote).toBe('Country: Japan | Daily allowance: 66 euros')
  })

  it('uses the earlier question when the current one has too few words', () => {
    const { quote } = citePassage(1, passage, {
      wording: 'And for Norway?',
      context: 'What is the daily allowance for Japan?',
      weigh,
    })
    expect(quote).toBe('Country: Norway | Daily allowance: 80 euros')
  })

  it('names the page of the quote, not the first page of the passage', () => {
    expect(citePassage(1, passage, { wording: 'Japan', weigh }).page).toBe(4)
    const second = citePassage(1, passage, { wording: 'Norway', weigh })
    expect(second.page).toBe(5)
    expect(second.charStart).toBe(1000 + text.indexOf('Country: Norway'))
  })

  it('quotes the sentence with the rare word of the question', () => {
    const body =
      'Staff travel on business with the company card. The company pays for staff in Tromsø. Staff travel on Mondays.'
    const { quote } = citePassage(
      1,
      { ...passage, text: body },
      { wording: 'Do staff travel on business to Tromsø?', weigh: createWordRarity([body, body]) },
    )
    expect(quote).toContain('Tromsø')
  })
})
