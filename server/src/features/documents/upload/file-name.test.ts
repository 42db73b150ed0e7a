import { describe, expect, it } from 'vitest'
import { normalizeFileName, normalizeTitle } from './file-name.ts'

describe('normalizeFileName', () => {
  it.each([
    '../x.pdf',
    '..\\x.pdf',
    'folder/x.pdf',
    '/etc/passwd.txt',
    `${'x'.repeat(197)}.txt`,
    'a\u0000b.pdf',
    'a\nb.pdf',
    'invoice\u202efdp.txt',
    'a\u2066b.pdf',
    'a\u200bb.pdf',
    'a\u{e0041}b.pdf',
    'a\ud800b.pdf',
  ])('rejects %j', (name) => {
    expect(() => normalizeFileName(name)).toThrow('The file name is too long or contains invalid characters')
  })

  it.each([
    ['Zu\u0308rich plan.pdf', 'Zürich plan.pdf'],
    [' report..final.docx ', 'report..final.docx'],
    ['می\u200cخواهم.txt', 'می\u200cخواهم.txt'],
    [`${'日'.repeat(196)}.txt`, `${'日'.repeat(196)}.txt`],
  ])('normalizes %j to %j', (input, normalized) => {
    expect(normalizeFileName(input)).toBe(normalized)
  })
})

describe('normalizeTitle', () => {
  it('removes line breaks and invisible characters and falls back to the file name', () => {
    expect(normalizeTitle('  Travel\n and\u202e costs 1/2 ', 'x.pdf')).toBe('Travel and costs 1/2')
    expect(normalizeTitle('\u200b \u0000', 'x.pdf')).toBe('x.pdf')
  })
})
