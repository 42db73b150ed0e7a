import { describe, expect, it } from 'vitest'
import { readTxt } from './read-txt.ts'

function read(text: string): string {
  return readTxt(Buffer.from(text)).text
}

const wrapped = `Guests of the library may borrow up to five books for three
weeks. A book that another guest is waiting for must be
returned after one week. The fee for a lost book is its price
and three euros.`

describe('a text that was wrapped at a width', () => {
  it('gets its paragraphs back as single lines', () => {
    expect(read(wrapped)).toBe(
      'Guests of the library may borrow up to five books for three weeks. A book that another guest is waiting for must be returned after one week. The fee for a lost book is its price and three euros.',
    )
  })

  it('gets back paragraphs of two lines if longer ones tell the width', () => {
    expect(read(`${wrapped}\n\nThe reading room is on the second floor of the eastern\nbuilding.`)).toContain(
      'the eastern building.',
    )
    expect(read('The reading room is on the second floor of the eastern\nbuilding.')).toContain(
      'eastern\nbuilding',
    )
  })

  it('keeps list items apart, and joins the lines of each', () => {
    const list =
      '- Bring a passport or another document with a picture and an\n  address.\n- Fill in the form.\n- Pay the fee.'
    expect(read(`${wrapped}\n\n${list}`)).toContain(
      '- Bring a passport or another document with a picture and an address.\n- Fill in the form.\n- Pay the fee.',
    )
  })

  it.each([
    ['an address', 'City Library\nHarbor Street 12\n20457 Hamburg'],
    ['a table', '| Day and the times at which the library is open for all | 9 to 18 |\n| Sunday | closed |'],
    ['columns', 'Monday to Friday except for public holidays in summer    9 to 18\nSunday    closed'],
    ['code', '```\nmake a book that is as long as a line of this text can be\nagain\n```'],
  ])('keeps the lines of %s', (_, lines) => {
    expect(read(`${wrapped}\n\n${lines}`).split('\n').length).toBeGreaterThan(
      read(wrapped).split('\n').length + 1,
    )
  })

  it('keeps hyphens at the end of a line', () => {
    const text = `${wrapped} All of the other books are kept in the well-\nknown building.`
    expect(read(text)).toContain('the well-known building')
  })

  it('adds no spaces in Japanese', () => {
    const line = '図書館の本は三週間まで借りることができますので期限までにお返しください'
    expect(read(`${line}\n${line}\n${line}`)).toBe(line.repeat(3))
  })

  it('is found again in spite of a line that was too long to wrap', () => {
    const url = `https://library.example/${'catalog/'.repeat(9)}`
    expect(
      read(`${wrapped}\n\nThe catalog of the library and of all its branches is at\n${url}\nand is free.`),
    ).toContain('must be returned after')
  })
})

describe('line breaks that are meant', () => {
  it.each([
    ['a poem', 'The evening falls\nupon the narrow street,\nand no one calls\nbut tired, hurried feet.'],
    [
      'one sentence on each line',
      'Guests may borrow up to five books at the same time for three weeks.\nBooks must be returned.\nA lost book costs its price and a fee of three euros for the effort.\nAsk at the desk.',
    ],
    ['a long line for each paragraph', `${'Guests may borrow up to five books. '.repeat(6)}\nReturn them.`],
  ])('are kept in %s', (_, text) => {
    expect(read(text).split('\n')).toHaveLength(text.split('\n').length)
  })
})
