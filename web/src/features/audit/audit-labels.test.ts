import { auditActions } from '@lyceum/contract/audit'
import { describe, expect, it } from 'vitest'
import { actionLabels, formatField, formatValue } from './audit-labels.ts'

describe('audit log labels', () => {
  it('gives every action its own label', () => {
    expect(new Set(Object.values(actionLabels)).size).toBe(auditActions.length)
  })

  it.each([
    ['name', 'Name'],
    ['twoFactorExpiryDays', 'Two factor expiry days'],
    ['sha256', 'Sha256'],
  ])('formats the field %s as %s', (field, label) => {
    expect(formatField(field)).toBe(label)
  })

  it.each([
    [null, 'none'],
    ['', 'none'],
    [true, 'yes'],
    [0, '0'],
    [[], 'none'],
    [['a', false], 'a, no'],
    [{ a: 1 }, '{"a":1}'],
  ])('formats the value %j as %s', (value, text) => {
    expect(formatValue(value)).toBe(text)
  })
})
