import { describe, expect, it } from 'vitest'
import { compareTestResults } from './test-questions.ts'

const found = {
  ...{ question: 'When?', expected: [{ _id: 'a' }, { _id: 'b' }], isPassed: true },
  ...{ mustContain: ['May'], mustNotContain: [], isUnanswerable: false },
}
const missed = { ...found, isPassed: false }

describe('compareTestResults', () => {
  it.each([
    ['gained', 'only the later run found it', found, missed],
    ['lost', 'only the earlier run found it', missed, found],
    ['same', 'both runs found it', found, { ...found, expected: [{ _id: 'b' }, { _id: 'a' }] }],
    ['same', 'neither run found it', missed, missed],
    ['new', 'the earlier run did not contain it', found, undefined],
    ['new', 'its wording changed', found, { ...missed, question: 'Where?' }],
    ['new', 'it expected fewer documents before', found, { ...missed, expected: [{ _id: 'a' }] }],
    [
      'new',
      'it expected other documents before',
      found,
      { ...missed, expected: [{ _id: 'a' }, { _id: 'c' }] },
    ],
    ['new', 'other texts were expected before', found, { ...missed, mustContain: ['June'] }],
    ['new', 'a refusal was expected before', found, { ...missed, isUnanswerable: true }],
  ])('returns %s when %s', (change, _, now, earlier) => {
    expect(compareTestResults(now, earlier)).toBe(change)
  })
})
