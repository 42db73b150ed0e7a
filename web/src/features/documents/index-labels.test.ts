import { describe, expect, it } from 'vitest'
import { anIndex } from '#testing/samples.ts'
import { indexNotes, indexWords } from './index-labels.ts'

describe('indexWords', () => {
  it.each([
    ['none', null],
    ['waiting', 'Waiting to be indexed'],
    ['extracting', 'Reading the text 40%'],
    ['embedding', 'Indexing 40%'],
    ['ready', 'Indexed'],
    ['failed', 'Indexing failed'],
  ] as const)('says %s', (state, words) => {
    expect(indexWords(anIndex({ state, percent: 40.4 }))).toBe(words)
  })
})

describe('indexNotes', () => {
  it('has nothing to add to a plain state', () => {
    expect(indexNotes(anIndex({ state: 'ready', attempts: 1, answers: true }))).toEqual([])
  })

  it('says why it failed, how often it was tried and what answers meanwhile', () => {
    const failed = anIndex({ state: 'failed', reason: 'No text was found.', attempts: 3, answers: true })
    expect(indexNotes(failed)).toEqual([
      'No text was found.',
      'Tried 3 times.',
      'The earlier index still answers questions.',
    ])
  })

  it('says which attempt is under way', () => {
    expect(indexNotes(anIndex({ state: 'extracting', attempts: 2 }))).toEqual(['Attempt 2.'])
  })

  it('keeps the note of a ready index', () => {
    expect(indexNotes(anIndex({ state: 'ready', reason: 'Found by words only.' }))).toEqual([
      'Found by words only.',
    ])
  })
})
