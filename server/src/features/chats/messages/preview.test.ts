import { expect, it } from 'vitest'
import { toPreview } from './preview.ts'

it('is one line of the beginning', () => {
  expect(toPreview(' Two\n\n lines ')).toBe('Two lines')
  expect(toPreview('🙂'.repeat(300))).toBe('🙂'.repeat(200))
})

it('has no characters that hide or reverse text, but keeps joiners', () => {
  const hidden = `Pay\u202E 001\u202C now\u{E0041}\u{E0042}\u200B`
  expect(toPreview(hidden)).toBe('Pay 001 now')
  expect(toPreview('می\u200cخواهم')).toBe('می\u200cخواهم')
})
