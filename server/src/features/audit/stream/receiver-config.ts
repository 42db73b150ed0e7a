import { createSecureContext } from 'node:tls'
import { eventFormats, type ReceiverInput } from '@lyceum/contract/audit-stream'
import * as z from 'zod'
import type { Secrets } from '#keys/secrets.ts'
import { requireCertificate } from '../../../connections/require-certificate.ts'
import { AppError } from '../../../errors.ts'

const storedSyslog = z.object({
  kind: z.literal('syslog'),
  host: z.string(),
  port: z.int(),
  caCertificate: z.string(),
  clientCertificate: z.string(),
  clientKey: z.string(),
})
const storedHttp = z.object({
  kind: z.literal('http'),
  url: z.string(),
  format: z.enum(eventFormats),
  headerName: z.string(),
  headerValue: z.string(),
  caCertificate: z.string(),
})
const storedConfig = z.discriminatedUnion('kind', [storedSyslog, storedHttp])
export type ReceiverConfig = z.output<typeof storedConfig>

/** All values are encrypted together, so that write access to the database cannot send the log or a secret elsewhere. */
export function sealConfig(secrets: Secrets, config: ReceiverConfig): string {
  return secrets.seal(JSON.stringify(config))
}

/** Null if the keys of this installation cannot decrypt it. */
export function unsealConfig(secrets: Secrets, sealed: string): ReceiverConfig | null {
  try {
    return storedConfig.parse(JSON.parse(secrets.unseal(sealed)))
  } catch {
    return null
  }
}

function refuse(field: string, message: string): never {
  throw new AppError('validation.failed', { message, fields: { [field]: message } })
}

function requireKeyPair(cert: string, key: string): void {
  if (cert === '' && key === '') return
  if (cert === '') refuse('clientCertificate', 'Add the certificate that belongs to the key.')
  if (key === '') refuse('clientKey', 'Add the private key of the client certificate.')
  try {
    createSecureContext({ cert, key })
  } catch {
    refuse('clientKey', 'This key cannot be read, or it does not belong to the client certificate.')
  }
}

export function getHost(config: ReceiverConfig): string {
  return config.kind === 'syslog' ? config.host : new URL(config.url).hostname
}

/** The host and port, for the audit log. */
export function getServer(config: ReceiverConfig): string {
  return config.kind === 'syslog' ? `${config.host}:${config.port}` : new URL(config.url).host
}

/** The stored secret is only ever sent to the server for which it was entered. */
function keepSecret(field: string, stored: string, isSameServer: boolean): string {
  return isSameServer || stored === ''
    ? stored
    : refuse(field, 'Enter this again, because the address has changed.')
}

/** What a form enters, with the stored secret if it was left out. */
export function mergeConfig(input: ReceiverInput, stored: ReceiverConfig | null): ReceiverConfig {
  requireCertificate('caCertificate', input.caCertificate)
  if (stored !== null && stored.kind !== input.kind)
    refuse('kind', 'A receiver cannot be turned into one of the other kind. Add a new one.')
  if (input.kind === 'syslog') {
    const { name: _, clientKey, ...rest } = input
    const previous = stored?.kind === 'syslog' ? stored : null
    const key =
      clientKey ??
      keepSecret(
        'clientKey',
        previous?.clientKey ?? '',
        previous?.host === input.host && previous.port === input.port,
      )
    requireCertificate('clientCertificate', input.clientCertificate)
    requireKeyPair(input.clientCertificate, key)
    return { ...rest, clientKey: key }
  }
  if (!URL.canParse(input.url)) refuse('url', 'This address is not valid.')
  const { name: _, headerValue, ...rest } = input
  const previous = stored?.kind === 'http' ? stored : null
  const value =
    headerValue ?? keepSecret('headerValue', previous?.headerValue ?? '', previous?.url === input.url)
  if (input.headerName !== '' && value === '') refuse('headerValue', 'Enter the value of the header.')
  if (input.headerName === '' && value !== '') refuse('headerName', 'Enter the name of the header.')
  return { ...rest, headerValue: value }
}

/** The fields for the audit log, without secrets. */
export function describeConfig(config: ReceiverConfig): Record<string, unknown> {
  if (config.kind === 'syslog') {
    const { clientKey, caCertificate, clientCertificate, ...rest } = config
    return { ...rest, hasCaCertificate: caCertificate !== '', hasClientCertificate: clientCertificate !== '' }
  }
  const { headerValue, caCertificate, ...rest } = config
  return { ...rest, hasCaCertificate: caCertificate !== '' }
}
