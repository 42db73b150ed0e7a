import { describe, expect, it } from 'vitest'
import type { FoundPassage } from '../documents/retrieval/retrieval.ts'
import { citePassage } from './cite-passage.ts'

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

describe('citePassage', () => {
  it('quotes what is closest to the question, even if the earlier question matches more elsewhere', () => {
    const { quote } = citePassage(
      1,
      passage,
      'What is the allowance for Japan?',
      'For how many full days is it paid?',
    )
    expect(quote).toBe('Country: Japan | Daily allowance: 66 euros')
  })

  it('uses the earlier question when the current one has too few words', () => {
    const { quote } = citePassage(1, passage, 'And for Norway?', 'What is the daily allowance for Japan?')
    expect(quote).toBe('Country: Norway | Daily allowance: 80 euros')
  })

  it('names the page of the quote, not the first page of the passage', () => {
    expect(citePassage(1, passage, 'Japan').page).toBe(4)
    const second = citePassage(1, passage, 'Norway')
    expect(second.page).toBe(5)
    expect(second.charStart).toBe(1000 + text.indexOf('Country: Norway'))
  })
})
