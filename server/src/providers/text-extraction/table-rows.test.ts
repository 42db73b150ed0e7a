import { describe, expect, it } from 'vitest'
import { formatTableRows } from './table-rows.ts'

describe('formatTableRows', () => {
  it('labels the columns in every row', () => {
    expect(
      formatTableRows([
        ['Port', 'Depth'],
        ['Kaldvik', '9.8 m'],
      ]),
    ).toEqual(['Port: Kaldvik | Depth: 9.8 m'])
  })

  it('keeps labels of empty columns', () => {
    expect(
      formatTableRows([
        ['Name', 'Signature'],
        ['Ida', ''],
        ['', ''],
      ]),
    ).toEqual(['Name | Signature', 'Name: Ida'])
    expect(
      formatTableRows([
        ['Name', 'Signature'],
        ['', ''],
      ]),
    ).toEqual(['Name | Signature'])
  })

  it('does not treat row labels as column labels', () => {
    expect(
      formatTableRows([
        ['Buyer:', 'Seller:'],
        ['Lakeland', 'Enron'],
      ]),
    ).toEqual(['Buyer: | Seller:', 'Lakeland | Enron'])
  })

  it('keeps titles across the table on their own lines', () => {
    const rows = [
      ['Prices', '', ''],
      ['Size', 'Berth', 'Power'],
      ['Winter', '', ''],
      ['10 m', '90', '12'],
    ]
    expect(formatTableRows(rows)).toEqual(['Prices', 'Winter', 'Size: 10 m | Berth: 90 | Power: 12'])
    expect(formatTableRows([['Prices'], ['Size', 'Berth', 'Power'], ['10 m', '90', '12']])[1]).toBe(
      'Size: 10 m | Berth: 90 | Power: 12',
    )
  })
})
