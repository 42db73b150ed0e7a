import { expect, it } from 'vitest'
import { toPreview } from './preview.ts'

it('is one line of the beginning', () => {
  expect(toPreview('user', ' Two\n\n lines ')).toBe('Two lines')
  expect(toPreview('user', '🙂'.repeat(300))).toBe('🙂'.repeat(200))
})

it('has no Markdown, no TeX and, of a reply, no citation marks', () => {
  expect(toPreview('assistant', '**Half an hour**, so $\\frac{1}{2}$ h [1].')).toBe('Half an hour, so 1/2 h.')
  expect(toPreview('user', 'What is `a` in list[1]?')).toBe('What is a in list[1]?')
})

it('is the first passage of a reply without a model', () => {
  const reply = 'These are the closest:\n\n> One *passage*\n> \n> of two lines [1]\n\n> Another [2]\n\n'
  expect(toPreview('assistant', reply, 'extractive')).toBe('One passage of two lines')
  expect(toPreview('assistant', reply, 'model')).toMatch(/^These are/)
  expect(toPreview('assistant', 'These are', 'extractive')).toBe('These are')
  const row = 'These are the closest:\n\n> Country: Austria \\| Days: 25 [1]\n\n'
  expect(toPreview('assistant', row, 'extractive')).toBe('Country: Austria | Days: 25')
})

it('has no characters that hide or reverse text, but keeps joiners', () => {
  const hidden = `Pay\u202E 001\u202C now\u{E0041}\u{E0042}\u200B`
  expect(toPreview('user', hidden)).toBe('Pay 001 now')
  expect(toPreview('user', 'می\u200cخواهم')).toBe('می\u200cخواهم')
})
