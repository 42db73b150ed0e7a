import { describe, expect, it } from 'vitest'
import { anIndex } from '#testing/samples.ts'
import { indexLabel, indexNotes } from './IndexStatus.tsx'

describe('indexLabel', () => {
  it.each([
    ['none', null],
    ['waiting', 'Waiting to be indexed'],
    ['extracting', 'Reading text 40%'],
    ['embedding', 'Indexing 40%'],
    ['ready', 'Indexed'],
    ['failed', 'Indexing failed'],
  ] as const)('labels the state %s', (state, label) => {
    expect(indexLabel(anIndex({ state, percent: 40.4 }))).toBe(label)
  })
})

describe('indexNotes', () => {
  it('adds nothing to a ready index', () => {
    expect(indexNotes(anIndex({ state: 'ready', attempts: 1, answers: true }))).toEqual([])
  })

  it('gives the failure reason, the number of attempts and the index in use', () => {
    const failed = anIndex({ state: 'failed', reason: 'No text was found.', attempts: 3, answers: true })
    expect(indexNotes(failed)).toEqual([
      'No text was found.',
      'Tried 3 times.',
      'The previous index is still in use.',
    ])
  })

  it('numbers a repeated attempt', () => {
    expect(indexNotes(anIndex({ state: 'extracting', attempts: 2 }))).toEqual(['Attempt 2.'])
  })

  it('keeps the reason of a ready index', () => {
    expect(indexNotes(anIndex({ state: 'ready', reason: 'Keyword search only.' }))).toEqual([
      'Keyword search only.',
    ])
  })
})
