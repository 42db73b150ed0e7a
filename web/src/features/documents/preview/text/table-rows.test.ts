import { describe, expect, it } from 'vitest'
import { parseTable } from './table-rows.ts'

function parse(text: string) {
  const { labels, rows } = parseTable(text, 50)
  return {
    labels,
    rows: rows.map(({ cells, isTitle }) => [
      ...(isTitle ? ['title'] : []),
      ...cells.map((cell) => cell && text.slice(cell.start - 50, cell.end - 50)),
    ]),
  }
}

describe('parseTable', () => {
  it('takes the column labels out of the cells', () => {
    expect(parse('Dish: Soup | Price: 4 euros\nDish: Bread | Price: 2 euros')).toEqual({
      labels: ['Dish', 'Price'],
      rows: [
        ['Soup', '4 euros'],
        ['Bread', '2 euros'],
      ],
    })
  })

  it('leaves the place of an empty cell empty', () => {
    expect(parse('A: 1 | C: 3\nA: 4 | B: 5 | C: 6\nB: 7')).toEqual({
      labels: ['A', 'B', 'C'],
      rows: [
        ['1', null, '3'],
        ['4', '5', '6'],
        [null, '7', null],
      ],
    })
  })

  it('shows a row of all labels only as the header', () => {
    expect(parse('Name | Note | Age\nName: Ann | Age: 30\nName: Bo | Age: 40')).toEqual({
      labels: ['Name', 'Note', 'Age'],
      rows: [
        ['Ann', null, '30'],
        ['Bo', null, '40'],
      ],
    })
  })

  it('keeps titles above the rows', () => {
    expect(parse('Europe\nA: 1 | B: 2\nA: 3 | B: 4').rows).toEqual([
      ['title', 'Europe'],
      ['1', '2'],
      ['3', '4'],
    ])
  })

  it('shows a table without labels as it is', () => {
    expect(parse('Opens at: 9 | Monday\nfree | Sunday')).toEqual({
      labels: null,
      rows: [
        ['Opens at: 9', 'Monday'],
        ['free', 'Sunday'],
      ],
    })
  })
})
