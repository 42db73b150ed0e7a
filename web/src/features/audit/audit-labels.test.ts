import { auditActions } from '@lyceum/contract/audit'
import { describe, expect, it } from 'vitest'
import { actionWords, fieldWords, valueWords } from './audit-labels.ts'

describe('the words of the audit log', () => {
  it('tell every action apart', () => {
    expect(new Set(Object.values(actionWords)).size).toBe(auditActions.length)
  })

  it.each([
    ['name', 'Name'],
    ['twoFactorExpiryDays', 'Two factor expiry days'],
    ['sha256', 'Sha256'],
  ])('read %s as %s', (field, words) => {
    expect(fieldWords(field)).toBe(words)
  })

  it.each([
    [null, 'none'],
    ['', 'none'],
    [true, 'yes'],
    [0, '0'],
    [[], 'none'],
    [['a', false], 'a, no'],
    [{ a: 1 }, '{"a":1}'],
  ])('read %j as %s', (value, words) => {
    expect(valueWords(value)).toBe(words)
  })
})
