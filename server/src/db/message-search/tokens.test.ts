import { describe, expect, it, vi } from 'vitest'
import { measureGrowth } from '#testing/cpu-time.ts'
import { containsTerms, encodeTokens, getQueryTokens, makeExcerpt, parseTerms, tokenize } from './tokens.ts'

function isFound(text: string, words: string): boolean {
  return containsTerms(text, parseTerms(words))
}

describe('containsTerms', () => {
  it('takes linear time for a long row of different combining marks', () => {
    function search(length: number): void {
      expect(isFound(`e${'\u0301\u0323'.repeat(length / 2)} whales`, 'whales')).toBe(true)
    }
    expect(measureGrowth(search, 4000)).toBeLessThan(40)
  })

  it.each([
    ['Nachtschichtplan', 'schicht'],
    ['Der SCHLÜSSEL liegt bereit', 'schlüssel'],
    ['ΟΔΟΣ', 'οδος'],
    ['Москва', 'МОСК'],
    ['Café', 'Cafe\u0301'],
    ['ｆｕｌｌ width', 'full'],
    ['会议在明天下午', '会议'],
    ['会议在明天下午', '天'],
    ['회의록을 작성', '회의'],
    ['エアコンを消す', 'エア'],
    ['A股行情', 'A股'],
    ['to be or not', 'or'],
    ['at 100% now', '%'],
    ['snake_case', '_c'],
    ['say "yes"', '"'],
    ['I love 😀😀', '😀'],
    ['family 👨‍👩‍👧 outing', '👨‍👩‍👧'],
    ['rules for a shift swap', 'swap rules'],
  ])('matches the text %j with the query %j', (text, words) => {
    expect(isFound(text, words)).toBe(true)
  })

  it.each([
    ['Nachtschichtplan', 'schichten'],
    ['for a while', 'or'],
    ['100 now', '%'],
    ['snake case', '_'],
    ['会议在明天', '议会'],
    ['rules for a shift', 'swap rules'],
    ['anything', ''],
    ['anything', ' \t '],
  ])('does not match the text %j with the query %j', (text, words) => {
    expect(isFound(text, words)).toBe(false)
  })

  it('matches only texts that have all tokens of the query', () => {
    const texts = [
      'The quick brown-fox (v2.0) costs 10% more; e-mail: a_b@c.de "quoted" c++ ',
      '会議は明日の午後３時から。Zoom で参加。A股 PDF文件',
      '회의록 v2 작성 Ünïcödé ΟΔΟΣ İstanbul straße 😀👍🏽 x\ny\tz',
    ]
    for (const text of texts) {
      const tokens = tokenize(text)
      const all = Array.from(text)
      for (let from = 0; from < all.length; from += 1)
        for (let length = 1; length <= 6; length += 1) {
          const words = all.slice(from, from + length).join('')
          const terms = parseTerms(words)
          if (!containsTerms(text, terms)) continue
          const missing = getQueryTokens(terms).filter((token) => !tokens.has(token))
          expect([words, missing]).toEqual([words, []])
        }
    }
  })

  it('is safe from query syntax, because tokens contain none', () => {
    expect(encodeTokens(tokenize(`" OR * NEAR(a) - ^ : '`))).toMatch(/^[\p{L}\p{N}\ue000-\uf8ff ]+$/u)
  })

  it('needs few tokens even for long queries', () => {
    expect(getQueryTokens(parseTerms('abcdefghij'.repeat(20))).length).toBeLessThanOrEqual(12)
  })
})

describe('makeExcerpt', () => {
  it('shows the first match on one line, with an ellipsis where text is left out', () => {
    const text = `${'before '.repeat(200)}the NEEDLE\n\nlies here ${'after '.repeat(200)}`
    const excerpt = makeExcerpt(text, parseTerms('needle'))
    expect(excerpt).toMatch(/^….*the NEEDLE lies here.*…$/)
    expect(Array.from(excerpt).length).toBeLessThanOrEqual(162)
  })

  it('begins at a word', () => {
    const text = `${'abcdefghi '.repeat(30)}needle`
    expect(makeExcerpt(`${text} ${'after '.repeat(50)}`, parseTerms('needle'))).toMatch(/^…abcdefghi /)
    expect(makeExcerpt(`${'x'.repeat(300)}needle`, parseTerms('needle'))).toContain('needle')
  })

  it('shows a reply without its Markdown, unless that is what matches', () => {
    const reply = `${'Before this.\n'.repeat(200)}> **All journeys** by [train](https://a.example)\n\n- second [1]`
    expect(makeExcerpt(reply, parseTerms('journeys'), true)).toMatch(/\. All journeys by train second$/)
    expect(makeExcerpt(reply, parseTerms('**all'), true)).toContain('> **All journeys**')
    expect(makeExcerpt('**bold** claim', parseTerms('claim'))).toBe('**bold** claim')
  })

  it('shows all of a short text', () => {
    expect(makeExcerpt('  One\nline ', parseTerms('line'))).toBe('One line')
  })

  it('finds the match after characters whose folded form is longer', () => {
    const text = `${'㎏ ﬃ '.repeat(300)} needle`
    expect(makeExcerpt(text, parseTerms('needle'))).toContain('needle')
  })

  it('does not split characters', () => {
    expect(makeExcerpt('😀'.repeat(3000), parseTerms('😀'))).not.toMatch(/[\ufffd]/)
  })

  it('folds text character by character only around the match', () => {
    const fold = vi.spyOn(String.prototype, 'toLowerCase')
    function foldsOf(repetitions: number) {
      fold.mockClear()
      makeExcerpt(`${'lorem ipsum dolor '.repeat(repetitions)}needle`, [{ text: 'needle', isShort: false }])
      return fold.mock.calls.length
    }
    const folds = foldsOf(700)
    expect(folds).toBeLessThan(3000)
    expect(foldsOf(7000)).toBe(folds)
    fold.mockRestore()
  })
})
