import { presentEntry } from '../present.ts'
import type { AuditRow } from '../store.ts'

/** “Log audit” in RFC 5424. */
const facility = 13
const severities = { ok: 6, denied: 4, failed: 4 } as const

/**
 * Names without `@` are reserved for IANA. 32473 is the number for examples (RFC 5612), because Lyceum has no enterprise
 * number of its own.
 */
const structuredDataId = 'lyceum@32473'

function escapeValue(value: string): string {
  return value.replace(/["\\\]]/g, '\\$&').replace(/[\r\n]/g, ' ')
}

function formatStructuredData(fields: Record<string, string | number | null>): string {
  const parameters = Object.entries(fields).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [` ${name}="${escapeValue(String(value))}"`],
  )
  return `[${structuredDataId}${parameters.join('')}]`
}

/**
 * One entry as RFC 5424 prescribes. The structured data says who did what. The message is the whole entry as JSON,
 * without the byte order mark that the standard has for UTF-8, because parsers of JSON trip over it.
 */
export function formatSyslog(row: AuditRow, host: string): string {
  const { seq, id, at, action, result, hash, previous_hash } = row
  const priority = facility * 8 + severities[result]
  const structuredData = formatStructuredData({
    id,
    seq,
    action,
    area: row.area,
    result,
    actorId: row.actor_id,
    actorName: row.actor_name,
    actorEmail: row.actor_email,
    objectType: row.object_type,
    objectId: row.object_id,
    objectName: row.object_name,
    ip: row.ip,
    previousHash: previous_hash,
    hash,
  })
  const time = new Date(at).toISOString()
  const message = JSON.stringify({ ...presentEntry(row), seq, previousHash: previous_hash, hash })
  return `<${priority}>1 ${time} ${host} lyceum - ${action} ${structuredData} ${message}`
}
