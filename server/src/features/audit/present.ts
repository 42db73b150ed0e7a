import type { AuditAction, AuditEntry } from '@lyceum/contract/audit'
import type { AuditRow } from './store.ts'

function parseFields(json: string | null): Record<string, unknown> | null {
  return json === null ? null : (JSON.parse(json) as Record<string, unknown>)
}

export function presentEntry(row: AuditRow): AuditEntry {
  return {
    _id: row.id,
    at: new Date(row.at).toISOString(),
    actor:
      row.actor_id === null
        ? null
        : { _id: row.actor_id, name: row.actor_name ?? '', email: row.actor_email ?? '' },
    action: row.action as AuditAction,
    object:
      row.object_type === null
        ? null
        : { type: row.object_type, _id: row.object_id ?? '', name: row.object_name },
    result: row.result,
    ip: row.ip,
    userAgent: row.user_agent,
    before: parseFields(row.before),
    after: parseFields(row.after),
  }
}
