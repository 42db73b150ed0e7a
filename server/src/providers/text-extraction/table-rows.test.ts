import { describe, expect, it } from 'vitest'
import { tableRows } from './table-rows.ts'

describe('tableRows', () => {
  it('names the columns in every row', () => {
    expect(
      tableRows([
        ['Port', 'Depth'],
        ['Kaldvik', '9.8 m'],
      ]),
    ).toEqual(['Port: Kaldvik | Depth: 9.8 m'])
  })

  it('keeps names whose columns are empty', () => {
    expect(
      tableRows([
        ['Name', 'Signature'],
        ['Ida', ''],
        ['', ''],
      ]),
    ).toEqual(['Name | Signature', 'Name: Ida'])
    expect(
      tableRows([
        ['Name', 'Signature'],
        ['', ''],
      ]),
    ).toEqual(['Name | Signature'])
  })

  it('does not take what names its neighbour for the name of a column', () => {
    expect(
      tableRows([
        ['Buyer:', 'Seller:'],
        ['Lakeland', 'Enron'],
      ]),
    ).toEqual(['Buyer: | Seller:', 'Lakeland | Enron'])
  })

  it('lets a title across the table stand alone, above and within', () => {
    const rows = [
      ['Prices', '', ''],
      ['Size', 'Berth', 'Power'],
      ['Winter', '', ''],
      ['10 m', '90', '12'],
    ]
    expect(tableRows(rows)).toEqual(['Prices', 'Winter', 'Size: 10 m | Berth: 90 | Power: 12'])
    expect(tableRows([['Prices'], ['Size', 'Berth', 'Power'], ['10 m', '90', '12']])[1]).toBe(
      'Size: 10 m | Berth: 90 | Power: 12',
    )
  })
})
