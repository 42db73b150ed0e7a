import { expect, it } from 'vitest'
import { markQuote } from './mark-quote.ts'

it('marks a stretch across elements and leaves their text as it was', () => {
  const elements = ['one two', '', 'three four'].map((text) => {
    const element = document.createElement('span')
    element.textContent = text
    return element
  })
  const first = markQuote(elements, { from: { piece: 0, offset: 4 }, to: { piece: 2, offset: 5 } })
  expect(first?.textContent).toBe('two')
  expect(elements.map((element) => element.innerHTML)).toEqual([
    'one <mark>two</mark>',
    '',
    '<mark>three</mark> four',
  ])
})
