import { describe, expect, it } from 'vitest'
import { measureGrowth } from '#testing/cpu-time.ts'
import { measureFirstSentence, splitSentences } from './sentences.ts'

function split(text: string): string[] {
  return splitSentences(text).map(({ start, end }) => text.slice(start, end))
}

describe('splitSentences', () => {
  it('ends sentences at their closing punctuation and at line breaks', () => {
    expect(split('One day. Is it two? "Three!" he said.\nFour\n\n- five')).toEqual([
      'One day.',
      'Is it two?',
      '"Three!"',
      'he said.',
      'Four',
      '- five',
    ])
  })

  it('does not end a sentence at an abbreviation, an initial, a decimal or the number of a list item', () => {
    expect(split('Ask Dr. J. Smith, e.g. by phone. It is 3.5 km.\n1. First item')).toEqual([
      'Ask Dr. J. Smith, e.g. by phone.',
      'It is 3.5 km.',
      '1. First item',
    ])
    expect(split('The limit is 30. The rest is free.')).toEqual(['The limit is 30.', 'The rest is free.'])
  })

  it('keeps citations after the full stop with their sentence', () => {
    expect(split('It is five. [1][2] It is six [3].')).toEqual(['It is five. [1][2]', 'It is six [3].'])
  })

  it('ends Chinese and Japanese sentences without a space', () => {
    expect(split('休暇は二十日です。申請は不要です。')).toEqual(['休暇は二十日です。', '申請は不要です。'])
  })
})

describe('measureFirstSentence', () => {
  it.each([' \n', '\n \n', ' . '])('takes linear time for a long run of “%s”', (piece) => {
    function measureRun(length: number): void {
      measureFirstSentence(piece.repeat(length / piece.length), true)
    }
    expect(measureGrowth(measureRun, 4000)).toBeLessThan(40)
  })

  it('waits until the end of a sentence is certain', () => {
    for (const text of ['It is five', 'It is five.', 'It is five. ', 'It is five. [', 'It is five. [1'])
      expect([text, measureFirstSentence(text, false)]).toEqual([text, null])
    expect(measureFirstSentence('It is five. [1] N', false)).toBe('It is five. [1] '.length)
    expect(measureFirstSentence('It is five', true)).toBe('It is five'.length)
    expect(measureFirstSentence('', true)).toBeNull()
  })
})
