import { describe, expect, it } from 'vitest'
import { toPlainReply, toPlainText } from './plain-text.ts'

describe('toPlainText', () => {
  it.each([
    ['## Vacation **28** `days`', 'Vacation 28 days'],
    ['- **Yes, you can**\n- no', 'Yes, you can no'],
    ['> quoted\n> *twice*', 'quoted twice'],
    ['***very*** _much_ ~~not~~', 'very much not'],
    ['- [x] done', 'done'],
    ['```ts\nconst a = 1\n```', 'const a = 1'],
    ['| Name | Age |\n|---|---|\n| Ada | 36 |', 'Name Age Ada 36'],
    ['See [the handbook](https://example.com/a)', 'See the handbook'],
    ['**cut off in the mid', 'cut off in the mid'],
    ['> Country: Austria \\| Days: 25', 'Country: Austria | Days: 25'],
    ['\\*not emphasis\\* [a\\]b](x)', '*not emphasis* a]b'],
    ['| a \\| b | c |', 'a | b c'],
    ['\\_a\\_ costs \\$5, C:\\\\temp', '_a_ costs $5, C:\\temp'],
  ])('removes Markdown: %j', (markdown, text) => {
    expect(toPlainText(markdown)).toBe(text)
  })

  it.each([
    ['so $x^2 + 1$ is', 'so x² + 1 is'],
    ['$$\\frac{a}{b} \\times 3$$', 'a/b × 3'],
    ['\\(\\sqrt{2} \\approx 1.41\\) and \\[E = mc^{2}\\]', '√2 ≈ 1.41 and E = mc²'],
    ['\\[\\frac{1}{2} cut', '1/2 cut'],
    ['$\\text{kg}_{0}$', 'kg0'],
    ['$\\frac{5\\,q\\,L^4}{384\\;E\\quad I}$', '5 q L⁴/384 E I'],
  ])('writes formulas without TeX: %j', (markdown, text) => {
    expect(toPlainText(markdown)).toBe(text)
  })

  it.each([
    '5 > 3 - 1, and 2 * 2 = 4',
    '2*3*4 is 24',
    'See # 4, then a_b_c and snake_case_name',
    'It costs $5 and $10, or $5-$10',
    'C:\\Users\\ada',
    'Is a < b?',
  ])('keeps what is not Markdown: %j', (text) => {
    expect(toPlainText(text)).toBe(text)
  })

  it('removes characters that hide or reverse text', () => {
    expect(toPlainText('a\u202Eb\u2066c\u{E0041}d\u200Be')).toBe('abcde')
  })

  it('reads only the beginning of a long message and cuts no emoji in half', () => {
    expect(toPlainText(`${'x'.repeat(1999)}😀`)).toBe('x'.repeat(1999))
    for (const hostile of ['$', '*', '_', '[', '\\(', '| ', '- ', '`', '> '])
      expect(toPlainText(hostile.repeat(200_000)).length).toBeLessThanOrEqual(2000)
  })
})

describe('toPlainReply', () => {
  it('removes citation marks only', () => {
    expect(toPlainReply('Up to seven days [1]. Or eight.[2][13]')).toBe('Up to seven days. Or eight.')
    expect(toPlainReply('[1] is a list, and [2](https://example.com) a link')).toBe(
      '[1] is a list, and 2 a link',
    )
  })
})
