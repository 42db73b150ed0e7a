import type { AuditAction, AuditResult } from '@lyceum/contract/audit'
import type { EventFormat } from '@lyceum/contract/audit-stream'
import { presentEntry } from '../present.ts'
import type { AuditRow } from '../store.ts'
import { type OcsfClass, ocsfActivities } from './ocsf-classes.ts'

/** https://schema.ocsf.io/1.8.0 */
const ocsfVersion = '1.8.0'

type OcsfObject = Record<string, unknown>

/** Informational, medium, low. */
const severities: Record<AuditResult, number> = { ok: 1, denied: 3, failed: 2 }

function describeActingUser({ actor_id, actor_name, actor_email }: AuditRow): OcsfObject {
  return { uid: actor_id, name: actor_name, ...(actor_email === null ? {} : { email_addr: actor_email }) }
}

function describeActor(row: AuditRow): OcsfObject {
  if (row.actor_id === null) return { app_name: 'Lyceum' }
  return {
    user: describeActingUser(row),
    ...(row.session_id === null ? {} : { session: { uid: row.session_id } }),
  }
}

/** The user concerned: the object of the entry, or else who acted. Failed sign-ins may name nobody. */
function describeUser(row: AuditRow): OcsfObject {
  if (row.object_type === 'user') return { uid: row.object_id, name: row.object_name ?? row.object_id }
  if (row.actor_id !== null) return describeActingUser(row)
  return { name: 'unknown' }
}

function describeObject({ object_type, object_id, object_name, area }: AuditRow): OcsfObject {
  return object_type === null
    ? { type: area, name: area }
    : { type: object_type, uid: object_id, name: object_name ?? object_id }
}

/** What the class requires besides the fields of all events. */
function describeSubject(row: AuditRow, subject: OcsfClass['subject']): OcsfObject {
  switch (subject) {
    case 'user':
      return { user: describeUser(row), service: { name: 'Lyceum' } }
    case 'privileges':
      return { user: describeUser(row), privileges: [row.action] }
    case 'entity':
      return { entity: describeObject(row) }
    case 'group':
      return { group: { uid: row.object_id, name: row.object_name ?? row.object_id } }
    case 'api':
      return { api: { operation: row.object_id ?? row.action } }
  }
}

/** One entry as an event of OCSF. What OCSF has no place for is under `unmapped`. */
export function toOcsf(row: AuditRow, version: string): OcsfObject {
  const { seq, id, at, action, area, result, ip, user_agent, hash, previous_hash } = row
  const activity = ocsfActivities[action as AuditAction]
  const { object, before, after } = presentEntry(row)
  return {
    activity_id: activity.id,
    activity_name: action,
    category_uid: activity.class.category,
    class_uid: activity.class.uid,
    type_uid: activity.class.uid * 100 + activity.id,
    time: at,
    severity_id: severities[result],
    status_id: result === 'ok' ? 1 : 2,
    status_detail: result,
    message: row.object_name === null ? action : `${action}: ${row.object_name}`,
    metadata: {
      version: ocsfVersion,
      uid: id,
      sequence: seq,
      event_code: action,
      log_name: 'audit',
      product: { name: 'Lyceum', vendor_name: 'Lyceum', version },
    },
    actor: describeActor(row),
    src_endpoint: ip === '' ? { name: 'Lyceum' } : { ip },
    ...(user_agent === '' ? {} : { http_request: { user_agent } }),
    ...describeSubject(row, activity.class.subject),
    unmapped: { area, object, before, after, hash, previous_hash },
  }
}

const formats: Record<EventFormat, { type: string; join: (events: readonly OcsfObject[]) => string }> = {
  json: { type: 'application/json', join: (events) => JSON.stringify(events) },
  'json-lines': {
    type: 'application/x-ndjson',
    join: (events) => events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  },
  // Splunk’s HTTP Event Collector takes one object per event, with its time in seconds.
  splunk: {
    type: 'application/json',
    join: (events) =>
      events
        .map((event) => JSON.stringify({ time: Number(event['time']) / 1000, source: 'lyceum', event }))
        .join('\n'),
  },
}

export function formatOcsf(
  rows: readonly AuditRow[],
  format: EventFormat,
  version: string,
): { type: string; body: string } {
  const { type, join } = formats[format]
  return { type, body: join(rows.map((row) => toOcsf(row, version))) }
}
