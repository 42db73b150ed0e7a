import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { partTestResult } from './status.ts'
import { id, isoTimestamp, pemCertificate, pemMaxLength, singleLine } from './wire.ts'

/** The servers that get a copy of the audit log: docs/operations.md, "Send the audit log elsewhere". */
export const receiverMaximum = 5

const hostName = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|\[?[0-9A-Fa-f:.]{2,45}\]?)$/
const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:\/[^\s#\\]*)?$/i
const secureAddress = /^https:\/\/[^\s/@?#\\]+(?:[/?][^\s#\\]*)?$/i

/** An address to which data is posted. Without encryption only on this machine. */
export const postAddress = z.string().check(
  z.trim(),
  z.maxLength(500, 'At most 500 characters.'),
  z.refine((address) => secureAddress.test(address) || loopback.test(address), {
    error: 'Enter an address that begins with https://. http:// is allowed only for localhost.',
  }),
)

const privateKey = z
  .string()
  .check(
    z.trim(),
    z.maxLength(pemMaxLength, 'At most 20,000 characters.'),
    z.regex(/^(?:$|-----BEGIN [A-Z ]*PRIVATE KEY-----)/, 'Paste a private key in PEM format.'),
  )

const name = singleLine(60, 'Enter a name.')

export const syslogReceiverInput = z.object({
  kind: z.literal('syslog'),
  name,
  host: z.string().check(z.trim(), z.regex(hostName, 'Enter the host name of the syslog server.')),
  port: z.coerce
    .number('Enter the port.')
    .check(z.int('Enter the port.'), z.gte(1, 'From 1 to 65535.'), z.lte(65_535, 'From 1 to 65535.')),
  /** Empty: an authority that the system trusts has issued the server’s certificate. */
  caCertificate: pemCertificate,
  /** Empty: the server asks for none. */
  clientCertificate: pemCertificate,
  /** Left out: the stored key stays. */
  clientKey: z.optional(privateKey),
})

/** How the events of a batch are put together: an array, one per line, or as Splunk’s HTTP Event Collector expects. */
export const eventFormats = ['json', 'json-lines', 'splunk'] as const
export type EventFormat = (typeof eventFormats)[number]

const headerValue = z
  .string()
  .check(z.trim(), z.regex(/^[\x20-\x7e]{0,1000}$/, 'At most 1,000 characters, without line breaks.'))

/** Headers that Lyceum sets itself. */
const reservedHeader = /^(?:host|content-.*|transfer-encoding|connection|expect|te|trailer|upgrade)$/i

export const httpReceiverInput = z.object({
  kind: z.literal('http'),
  name,
  url: postAddress,
  format: z.enum(eventFormats),
  /** The header that says who sends. Empty: none. */
  headerName: z.string().check(
    z.trim(),
    z.regex(/^[A-Za-z0-9-]{0,100}$/, 'Enter the name of a header, such as Authorization.'),
    z.refine((header) => !reservedHeader.test(header), { error: 'This header cannot be set.' }),
  ),
  /** Left out: the stored value stays. */
  headerValue: z.optional(headerValue),
  /** Empty: an authority that the system trusts has issued the server’s certificate. */
  caCertificate: pemCertificate,
})

export const receiverInput = z.discriminatedUnion('kind', [syslogReceiverInput, httpReceiverInput])
export type ReceiverInput = z.output<typeof receiverInput>

/** Whether a new receiver gets the entries from now on, or all that the log still has. */
export const startPoints = ['now', 'beginning'] as const
export const startPoint = z.enum(startPoints)
export type StartPoint = z.output<typeof startPoint>

/** Validates the form. Its secret is empty if the stored one stays. */
export const syslogReceiverForm = z.extend(syslogReceiverInput, {
  clientKey: privateKey,
  startsAt: startPoint,
})
export type SyslogReceiverEntries = z.input<typeof syslogReceiverForm>
export type SyslogReceiverValues = z.output<typeof syslogReceiverForm>

/** Validates the form. Its secret is empty if the stored one stays. */
export const httpReceiverForm = z.extend(httpReceiverInput, { headerValue, startsAt: startPoint })
export type HttpReceiverEntries = z.input<typeof httpReceiverForm>
export type HttpReceiverValues = z.output<typeof httpReceiverForm>

const delivery = {
  _id: id,
  name: z.string(),
  /** How many entries have not been sent yet. */
  behind: z.number(),
  /** When it accepted entries last; null if it has not yet. */
  sentAt: z.nullable(isoTimestamp),
  /** Why it does not accept entries, and since when; null if it does. */
  failure: z.nullable(z.object({ words: z.string(), since: isoTimestamp, retryAt: isoTimestamp })),
}

export const auditReceiver = z.discriminatedUnion('kind', [
  z.object({
    ...delivery,
    kind: z.literal('syslog'),
    host: z.string(),
    port: z.number(),
    caCertificate: z.string(),
    clientCertificate: z.string(),
    hasClientKey: z.boolean(),
  }),
  z.object({
    ...delivery,
    kind: z.literal('http'),
    url: z.string(),
    format: z.enum(eventFormats),
    headerName: z.string(),
    hasHeaderValue: z.boolean(),
    caCertificate: z.string(),
  }),
  /** The keys of this installation cannot decrypt its values. */
  z.object({ ...delivery, kind: z.literal('unreadable') }),
])
export type AuditReceiver = z.output<typeof auditReceiver>

export const auditStream = z.object({ receivers: z.array(auditReceiver) })
export type AuditStream = z.output<typeof auditStream>

const params = z.object({ receiverId: id })

export const auditStreamApi = {
  get: endpoint({
    method: 'GET',
    path: '/settings/audit-stream',
    access: 'system-admin',
    summary: 'List the servers that get a copy of the audit log, without their secrets',
    reply: auditStream,
  }),
  add: endpoint({
    method: 'POST',
    path: '/settings/audit-stream/receivers',
    access: 'system-admin',
    summary: 'Send a copy of the audit log to a server',
    body: z.object({ receiver: receiverInput, startsAt: startPoint }),
    reply: auditStream,
  }),
  change: endpoint({
    method: 'PUT',
    path: '/settings/audit-stream/receivers/:receiverId',
    access: 'system-admin',
    summary: 'Change a receiver, which continues with the first entry that it has not got',
    params,
    body: receiverInput,
    reply: auditStream,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/settings/audit-stream/receivers/:receiverId',
    access: 'system-admin',
    summary: 'Stop sending the audit log to a server',
    params,
    reply: auditStream,
  }),
  test: endpoint({
    method: 'POST',
    path: '/settings/audit-stream/test',
    access: 'system-admin',
    limit: 'message',
    summary: 'Send a test event to a server with these values, without storing them',
    /** With the id of a receiver, a secret that is left out is the stored one. */
    body: z.object({ receiver: receiverInput, receiverId: z.optional(id) }),
    reply: partTestResult,
  }),
} as const
