import { describe, expect, it } from 'vitest'
import { createEvidence } from './evidence.ts'

/** Text without content words, which only makes the language detectable. */
const fillerText: Record<string, string> = {
  en: 'This is what there is to say about that by now.',
  de: 'Das ist alles, was es dazu nun zu sagen gibt, und es ist so.',
}

function isSupported(text: string, sentence: string, language = 'en'): boolean {
  return (
    createEvidence([
      { title: '', headingPath: [], text: `${text} ${fillerText[language] ?? ''}` },
    ]).findSupporting(sentence, [1]).length === 1
  )
}

describe('createEvidence', () => {
  it.each([
    ['thousands separators', 'The budget is 1,200,000 euros a year.', 'The yearly budget is 1200000 euros.'],
    [
      'a period as the thousands separator',
      'Das Budget beträgt 1.200 Euro im Jahr.',
      'Das Budget im Jahr beträgt 1200 Euro.',
    ],
    [
      'a decimal comma and trailing zeros',
      'The rate is 3,50 per kilometre.',
      'The rate per kilometre is 3.5.',
    ],
    ['a number written as digits', 'Leave is twenty days a year.', 'Leave is 20 days a year.'],
    ['a number written as a word', 'Leave is 3 weeks a year.', 'Leave is three weeks a year.'],
    [
      'other forms of a word',
      'Expenses are reimbursed after approval.',
      'An expense is reimbursed when approved.',
    ],
    ['markup', 'The office opens at 9:30.', '- **The office** opens at 9:30 [1]'],
    ['the number of a list item', 'The office opens early.', '7. The office opens early [1]'],
    [
      'German nouns',
      'Der Urlaub beträgt zwanzig Tage im Jahr.',
      'Im Jahr beträgt der Urlaub zwanzig Tage.',
      'de',
    ],
    [
      'a name with another ending',
      'Bu kural Ankara şubesi için geçerlidir ve çok önemlidir.',
      "Çok önemli olan kural, Ankara'daki şubesi için geçerlidir.",
      'tr',
    ],
    ['Japanese', '有給休暇は年に二十日です。', '年に二十日の有給休暇です。'],
  ])('accepts %s', (_, text, sentence, language?: string) => {
    expect(isSupported(text, sentence, language)).toBe(true)
  })

  it.each([
    ['another number', 'Leave is 20 days a year.', 'Leave is 25 days a year.'],
    ['another number in words', 'Leave is twenty days a year.', 'Leave is thirty days a year.'],
    ['an added number', 'Leave is 20 days a year.', 'Leave is 20 days a year, 5 of them in May.'],
    ['another date', 'The rule holds from 1 March 2026.', 'The rule holds from 1 April 2026.'],
    [
      'an added name',
      'The board decides on the budget.',
      'The board under Karin Holm decides on the budget.',
    ],
    ['another subject', 'The board decides on the budget.', 'Whales sing in the deep blue sea.'],
    [
      'the month of May if the passage has only the verb',
      'The board may decide from 1 March on.',
      'The board decides from 1 May on.',
    ],
    ['a sentence of stop words only', 'The board decides on the budget.', 'Yes, it is so.'],
    ['a sentence without words', 'The board decides on the budget.', '[1]'],
  ])('rejects %s', (_, text, sentence) => {
    expect(isSupported(text, sentence)).toBe(false)
  })

  const trains = 'By train, staff travel in second class, and the ticket is booked by the secretary.'
  const cars = 'By car, staff travel when the secretary has booked no ticket, and the second driver is paid.'

  it('rejects a passage that supports the sentence less than another one', () => {
    const evidence = createEvidence([trains, cars].map((text) => ({ title: '', headingPath: [], text })))
    const sentence = 'Staff travel in second class, and the secretary books the ticket.'
    expect(evidence.findSupporting(sentence, [2])).toEqual([])
    expect(evidence.findSupporting(sentence, [1, 2])).toEqual([1])
    expect(
      createEvidence([{ title: '', headingPath: [], text: cars }]).findSupporting(sentence, [1]),
    ).toEqual([1])
  })

  it('rejects passages that only together contain the words of another one', () => {
    const sentence = 'Hotel rooms in the capital of Norway cost 140 euros a night.'
    const texts = [sentence, 'Hotel rooms in Norway are small.', 'The ferry costs 140 euros.']
    const evidence = createEvidence(texts.map((text) => ({ title: '', headingPath: [], text })))
    expect(evidence.findSupporting(sentence, [2, 3])).toEqual([])
    expect(evidence.findSupporting(sentence, [1, 2, 3])).toEqual([1])
  })

  it('rejects a passage with the words far apart if they stand together in another', () => {
    const filler =
      'Pears, plums, figs, dates, limes, kiwis, melons, cherries, grapes, apples, peaches and lemons. '
    const parts = ['The board decides.', 'There is a budget.', 'March is cold.', 'Offices exist.']
    const evidence = createEvidence(
      [parts.join(` ${filler}`), `${filler} ${parts.join(' ')}`].map((text) => ({
        title: '',
        headingPath: [],
        text,
      })),
    )
    const sentence = 'The board decides on the budget of the offices in March.'
    expect(evidence.findSupporting(sentence, [1])).toEqual([])
    expect(evidence.findSupporting(sentence, [2])).toEqual([2])
  })

  it('accepts a sentence that several passages support together, but not a passage that contributes nothing', () => {
    const evidence = createEvidence([
      { title: '', headingPath: [], text: 'Travel in Norway is paid with 62 euros a day.' },
      { title: '', headingPath: [], text: 'Hotel rooms cost at most 140 euros a night.' },
      { title: '', headingPath: [], text: `Whales sing in the sea. ${fillerText['en']}` },
    ])
    const sentence =
      'Travel in Norway is paid with 62 euros a day and hotel rooms with at most 140 euros a night.'
    expect(evidence.findSupporting(sentence, [1, 2, 3])).toEqual([1, 2])
    expect(evidence.findSupporting(sentence, [2, 1])).toEqual([2, 1])
    expect(evidence.findSupporting(sentence, [1])).toEqual([])
    expect(evidence.findSupporting(sentence, [1, 3])).toEqual([])
  })

  it('includes the title and the headings', () => {
    const evidence = createEvidence([
      { title: 'Parking', headingPath: ['Visitors'], text: `At most two hours. ${fillerText['en']}` },
    ])
    expect(evidence.findSupporting('Visitors may use the parking for at most two hours.', [1])).toEqual([1])
  })
})
