import { appVersion } from '#backup/archive-format.ts'
import { post } from '#providers/outgoing/post.ts'
import { sendSyslog } from '#providers/outgoing/syslog.ts'
import type { Deps } from '../../../deps.ts'
import type { AuditRow } from '../store.ts'
import { formatOcsf } from './ocsf.ts'
import type { ReceiverConfig } from './receiver-config.ts'
import { formatSyslog } from './syslog-message.ts'

/** Resolves once the receiver has accepted the entries. Throws `DeliveryFailed`; it may have some of them then. */
export async function deliver(
  { env }: Pick<Deps, 'env'>,
  config: ReceiverConfig,
  rows: readonly AuditRow[],
  signal: AbortSignal,
): Promise<void> {
  if (config.kind === 'syslog') {
    const host = new URL(env.PUBLIC_URL).hostname
    await sendSyslog(
      config,
      rows.map((row) => formatSyslog(row, host)),
      signal,
    )
    return
  }
  const { url, format, headerName, headerValue, caCertificate } = config
  const { type, body } = formatOcsf(rows, format, appVersion())
  const headers = { 'content-type': type, ...(headerName === '' ? {} : { [headerName]: headerValue }) }
  await post({ url, headers, body, caCertificate, signal })
}
