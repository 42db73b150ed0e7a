import { auditActions } from '@lyceum/contract/audit'
import { errors } from '@lyceum/contract/errors'
import { describe, expect, it } from 'vitest'
import { actionLabels, describeAction, formatField, formatValue, listFields } from './audit-labels.ts'

describe('audit log labels', () => {
  it('gives every action its own label', () => {
    expect(new Set(Object.values(actionLabels)).size).toBe(auditActions.length)
  })

  it.each([
    ['name', 'Name'],
    ['twoFactorExpiryDays', 'Two factor expiry days'],
    ['sha256', 'Sha256'],
    ['isEnabled', 'Enabled'],
    ['areCertificatesChanged', 'Certificates changed'],
    ['isSystemAdmin', 'System administrator'],
    ['webhookId', 'Webhook ID'],
    ['channelIds', 'Channel IDs'],
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

  it('names the LDAP directory, which is stored with the issuers', () => {
    const action = 'settings.issuer-added'
    expect(describeAction({ action, before: null, after: { issuerId: '@ldap' } })).toBe(
      'LDAP directory added',
    )
    expect(describeAction({ action, before: null, after: { issuerId: 'acme' } })).toBe(
      'Single sign-on issuer added',
    )
  })

  it('tells what was not found from what was refused', () => {
    const denied = { action: 'access.denied', before: null } as const
    expect(describeAction({ ...denied, after: { status: 403 } })).toBe('Access denied')
    expect(describeAction({ ...denied, after: { status: 404 } })).toBe('Not found, or no access')
  })

  it('words what was tested', () => {
    expect(formatField('part')).toBe('Tested')
    expect(formatValue('model', 'part')).toBe('Language models')
  })

  it('words the reason of a refusal', () => {
    expect(formatValue('auth.admin_only', 'reason')).toBe(errors['auth.admin_only'].message)
    expect(formatValue('wrong code', 'reason')).toBe('wrong code')
  })

  it('formats the size of a backup', () => {
    expect(formatField('bytes')).toBe('Size')
    expect(formatValue(132_360, 'bytes')).toBe('129.26 KB')
  })

  it('says what an API key can do', () => {
    expect(formatField('scopes')).toBe('What it can do')
    expect(formatValue(['documents'], 'scopes')).toBe('Search and read documents')
  })

  it('lists the exceptional fields of a backup only if they apply', () => {
    const after = { bytes: 1, missingFiles: 0, changedFiles: 2, isEncrypted: false }
    expect(listFields({ action: 'backup.made', before: null, after })).toEqual(['bytes', 'changedFiles'])
    expect(listFields({ action: 'settings.changed', before: { a: false }, after: { a: 0, b: 1 } })).toEqual([
      'a',
      'b',
    ])
  })
})
