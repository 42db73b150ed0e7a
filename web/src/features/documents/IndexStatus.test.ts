import { describe, expect, it } from 'vitest'
import { anIndex } from '#testing/samples.ts'
import { formatIndexState, listIndexNotes } from './IndexStatus.tsx'

describe('formatIndexState', () => {
  it.each([
    ['none', null],
    ['waiting', 'Waiting to be indexed'],
    ['extracting', 'Reading text 40%'],
    ['embedding', 'Indexing 40%'],
    ['ready', 'Indexed'],
    ['failed', 'Indexing failed'],
  ] as const)('labels the state %s', (state, label) => {
    expect(formatIndexState(anIndex({ state, percent: 40.4 }))).toBe(label)
  })
})

describe('listIndexNotes', () => {
  it('lists nothing for a ready index', () => {
    expect(listIndexNotes(anIndex({ state: 'ready', attempts: 1, answers: true }))).toEqual([])
  })

  it('gives the failure reason, the number of attempts and the index in use', () => {
    const failed = anIndex({ state: 'failed', reason: 'No text was found.', attempts: 3, answers: true })
    expect(listIndexNotes(failed)).toEqual([
      'No text was found.',
      'Tried 3 times.',
      'The previous index is still in use.',
    ])
  })

  it('numbers a repeated attempt', () => {
    expect(listIndexNotes(anIndex({ state: 'extracting', attempts: 2 }))).toEqual(['Attempt 2.'])
  })

  it('gives the reason why a ready index is limited', () => {
    expect(listIndexNotes(anIndex({ state: 'ready', reason: 'Keyword search only.' }))).toEqual([
      'Keyword search only.',
    ])
  })
})
