import { describe, expect, it } from 'vitest'
import { suggestQuestions } from './suggest-questions.ts'

describe('suggestQuestions', () => {
  it('takes one section of each document before a second one', () => {
    const outlines = [
      {
        title: 'Travel policy.docx',
        headingPaths: [
          ['Travel policy', 'Hotel limits'],
          ['Travel policy', 'Meals'],
        ],
      },
      { title: 'staff_handbook.pdf', headingPaths: [['Staff handbook', '3.1 Paid leave:']] },
    ]
    expect(suggestQuestions(outlines, 3)).toEqual([
      'What are the hotel limits?',
      'What should I know about paid leave?',
      'What are the rules for meals?',
    ])
  })

  it('names each section once and never the title of the document', () => {
    const headingPaths = [
      ['Canteen menu'],
      ['Canteen menu', 'Monday'],
      ['Canteen menu', 'Monday'],
      ['CANTEEN MENU'],
    ]
    expect(suggestQuestions([{ title: 'canteen-menu.txt', headingPaths }], 3)).toEqual([
      'What should I know about Monday?',
    ])
  })

  it('skips headings that only guide the reader', () => {
    const headingPaths = [
      'How to read this handbook',
      'Table of Contents',
      '1. Introduction',
      'OVERVIEW',
      'Appendix A',
      'Introduction of new machines',
    ].map((heading) => ['Staff handbook', heading])
    expect(suggestQuestions([{ title: 'Staff handbook.pdf', headingPaths }], 3)).toEqual([
      'What should I know about the introduction of new machines?',
    ])
  })

  it('asks the same question once when several documents answer it', () => {
    const outlines = ['Travel policy', 'Car policy'].map((title) => ({
      title,
      headingPaths: [[title, 'Hotel limits']],
    }))
    expect(suggestQuestions(outlines, 3)).toEqual(['What are the hotel limits?'])
  })

  it.each([
    ['without headings', [[]]],
    ['with headings that are numbers', [['1'], ['2.1'], ['§ 4']]],
    ['with headings as long as paragraphs', [['word '.repeat(40)]]],
  ])('suggests nothing for a document %s', (_, headingPaths) => {
    expect(suggestQuestions([{ title: 'scan.pdf', headingPaths }], 3)).toEqual([])
  })
})
