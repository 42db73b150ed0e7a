import type { AuditEntry } from '@lyceum/contract/audit'
import { describe, expect, it } from 'vitest'
import { describeObject } from './audit-object.ts'

const ada = { type: 'user', _id: 'user-1', name: 'Ada' }

function anEntry(change: Partial<AuditEntry>): AuditEntry {
  return {
    ...{ _id: 'entry-1', at: '2026-11-20T09:00:00.000Z', actor: null, action: 'api-key.created' },
    ...{ object: ada, result: 'ok', ip: '', userAgent: '', before: null, after: null },
    ...change,
  }
}

describe('describeObject', () => {
  it('names a key or a program before its user', () => {
    const created = anEntry({ after: { keyId: 'key-1', name: 'Nightly report' } })
    expect(describeObject(created)).toEqual({
      name: 'Nightly report',
      kind: 'API key of',
      relatedName: 'Ada',
    })
    const revoked = anEntry({
      action: 'program.revoked',
      object: { ...ada, name: null },
      before: { programId: 'program-1', name: 'Assistant' },
      after: { cause: 'reused' },
    })
    expect(describeObject(revoked)).toEqual({
      name: 'Assistant',
      kind: 'Connected program',
      relatedName: null,
    })
  })

  it('names a part of the settings, if the entry has its name', () => {
    const action = 'settings.webhook-removed'
    const removed = anEntry({ action, object: null, before: { webhookId: 'hook-1', name: 'Chat tool' } })
    expect(describeObject(removed)).toEqual({ name: 'Chat tool', kind: 'Webhook', relatedName: null })
    expect(describeObject(anEntry({ action, object: null, before: { webhookId: 'hook-1' } }))).toBeNull()
    expect(
      describeObject(anEntry({ action: 'settings.changed', object: null, after: { name: 'a' } })),
    ).toBeNull()
  })

  it('names what was tested, and its server', () => {
    const tested = { action: 'settings.tested' as const, object: null }
    expect(
      describeObject(anEntry({ ...tested, after: { part: 'mail', server: 'mail.example:587' } })),
    ).toEqual({ name: 'Email', kind: 'mail.example:587', relatedName: null })
    expect(describeObject(anEntry({ ...tested, after: { part: 'storage' } }))?.name).toBe('Storage')
    const webhook = { part: 'webhooks', name: 'Desk', server: 'desk.example' }
    expect(describeObject(anEntry({ ...tested, after: webhook }))).toEqual({
      name: 'Desk',
      kind: 'Webhooks ·',
      relatedName: 'desk.example',
    })
  })

  it('names the connection, the issuer or the directory that was changed', () => {
    const changed = anEntry({ action: 'settings.changed', object: null, before: { connection: 'model' } })
    expect(describeObject(changed)?.name).toBe('Language models')
    const action = 'settings.issuer-changed'
    const issuer = anEntry({ action, object: null, before: { issuerId: 'acme' } })
    expect(describeObject(issuer)?.name).toBe('acme')
    const ldap = anEntry({
      action,
      object: null,
      before: { issuerId: '@ldap' },
      after: { issuerId: '@ldap' },
    })
    expect(describeObject(ldap)?.kind).toBe('LDAP directory')
  })

  it('says which group or channel a user was added to', () => {
    const added = anEntry({ action: 'group.member-added', after: { groupId: 'group-1', group: 'Sales' } })
    expect(describeObject(added)).toEqual({ name: 'Ada', kind: 'User · Group', relatedName: 'Sales' })
    const revoked = anEntry({ action: 'access.revoked', before: { channelId: 'channel-1' } })
    expect(describeObject(revoked)).toEqual({ name: 'Ada', kind: 'User', relatedName: null })
  })

  it('says that a channel was deleted, and what a call would have done', () => {
    const deleted = anEntry({ action: 'channel.changed', object: { type: 'channel', _id: 'c', name: null } })
    expect(describeObject(deleted)?.name).toBe('Deleted channel')
    const call = anEntry({ action: 'access.denied', object: { type: 'call', _id: 'GET /users', name: null } })
    expect(describeObject(call)?.name).toBe('GET /users')
    const known = anEntry({
      action: 'access.denied',
      object: { type: 'call', _id: 'GET /users', name: 'List users' },
    })
    expect(describeObject(known)).toEqual({
      name: 'List users',
      kind: 'Request ·',
      relatedName: 'GET /users',
    })
  })
})
