import { auditActions } from '@lyceum/contract/audit'
import { describe, expect, it } from 'vitest'
import type { AuditRow } from '../store.ts'
import { formatOcsf, toOcsf } from './ocsf.ts'
import { formatSyslog } from './syslog-message.ts'

const row: AuditRow = {
  seq: 7,
  id: '019a-7',
  at: Date.UTC(2026, 10, 18, 12),
  actor_id: 'ada-1',
  actor_name: 'Ada "the" [first] \\',
  actor_email: 'ada@example.org',
  session_id: 'session-1',
  ip: '192.0.2.1',
  user_agent: 'Firefox',
  action: 'document.approved',
  area: 'documents',
  object_type: 'document',
  object_id: 'document-1',
  object_name: 'Über uns.pdf',
  result: 'ok',
  before: null,
  after: '{"version":2}',
  previous_hash: 'a'.repeat(64),
  hash: 'b'.repeat(64),
}

describe('toOcsf', () => {
  it.each(auditActions)('has what every event and the class of %s need', (action) => {
    for (const object of [{}, { object_type: null, object_id: null, object_name: null, actor_id: null }]) {
      const event = toOcsf({ ...row, ...object, action }, '1.0.0')
      const { activity_id, class_uid, category_uid, type_uid } = event as Record<string, number>
      expect([3001, 3002, 3004, 3005, 3006, 6003]).toContain(class_uid)
      expect(category_uid).toBe(Math.floor((class_uid ?? 0) / 1000))
      expect(type_uid).toBe((class_uid ?? 0) * 100 + (activity_id ?? 0))
      const required: Record<number, string[]> = {
        3001: ['user'],
        3002: ['user', 'service'],
        3004: ['entity'],
        3005: ['user', 'privileges'],
        3006: ['group'],
        6003: ['api', 'actor', 'src_endpoint'],
      }
      for (const field of ['time', 'severity_id', 'metadata', ...(required[class_uid ?? 0] ?? [])])
        expect(event).toHaveProperty(field)
    }
  })

  it('gives a visitor, who has no address, none', () => {
    const visit = { ...row, actor_name: 'Visitor BCDF', actor_email: null, action: 'embedding.signed-in' }
    const event = toOcsf({ ...visit, object_type: 'channel' }, '1.0.0')
    const user = { uid: 'ada-1', name: 'Visitor BCDF' }
    expect([event['user'], (event['actor'] as Record<string, unknown>)['user']]).toEqual([user, user])
  })

  it('maps a failed sign-in to a failed logon, and keeps what OCSF has no place for', () => {
    const failed = { ...row, action: 'sign-in.failed', area: 'signing-in', result: 'failed' as const }
    expect(
      toOcsf({ ...failed, object_type: null, object_id: null, object_name: null }, '1.0.0'),
    ).toMatchObject({
      class_uid: 3002,
      activity_id: 1,
      status_id: 2,
      user: { uid: 'ada-1', email_addr: 'ada@example.org' },
      src_endpoint: { ip: '192.0.2.1' },
      metadata: {
        version: '1.8.0',
        uid: '019a-7',
        sequence: 7,
        product: { name: 'Lyceum', version: '1.0.0' },
      },
      unmapped: { area: 'signing-in', after: { version: 2 }, hash: 'b'.repeat(64) },
    })
  })
})

describe('formatOcsf', () => {
  it('writes an array, a line per event, or what Splunk expects', () => {
    const rows = [row, { ...row, seq: 8 }]
    expect(JSON.parse(formatOcsf(rows, 'json', '1').body)).toHaveLength(2)
    const lines = formatOcsf(rows, 'json-lines', '1')
    expect(lines.type).toBe('application/x-ndjson')
    expect(lines.body.match(/\n/g)).toHaveLength(2)
    const [first] = formatOcsf(rows, 'splunk', '1').body.split('\n')
    expect(JSON.parse(first ?? '')).toMatchObject({ time: row.at / 1000, event: { class_uid: 3004 } })
  })
})

describe('formatSyslog', () => {
  it('escapes values of the structured data and appends the entry as JSON', () => {
    const text = formatSyslog(row, 'lyceum.example.org')
    expect(text).toMatch(
      /^<110>1 2026-11-18T12:00:00\.000Z lyceum\.example\.org lyceum - document\.approved \[lyceum@32473 id="019a-7" seq="7" /,
    )
    expect(text).toContain('actorName="Ada \\"the\\" [first\\] \\\\"')
    const json = text.slice(text.indexOf('"] {') + 3)
    expect(JSON.parse(json)).toMatchObject({ _id: '019a-7', seq: 7, after: { version: 2 } })
  })

  it('gives refusals and failures a higher severity', () => {
    expect(formatSyslog({ ...row, result: 'denied' }, 'localhost')).toMatch(/^<108>1 /)
  })

  it('has room for every action as the id of a message', () => {
    for (const action of auditActions) expect(action).toMatch(/^[\x21-\x7e]{1,32}$/)
  })
})
