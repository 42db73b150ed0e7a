import { createHmac, randomBytes } from 'node:crypto'
import * as z from 'zod'
import type { Secrets } from '#keys/secrets.ts'

const stored = z.object({ url: z.string(), secret: z.string() })
export type WebhookConfig = z.output<typeof stored>

const prefix = 'whsec_'

/** A secret in the form that libraries of Standard Webhooks take. */
export function createSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

/** Both are encrypted together, so that write access to the database cannot send events elsewhere. */
export function sealConfig(secrets: Secrets, config: WebhookConfig): string {
  return secrets.seal(JSON.stringify(config))
}

/** Null if the keys of this installation cannot decrypt it. */
export function unsealConfig(secrets: Secrets, sealed: string): WebhookConfig | null {
  try {
    return stored.parse(JSON.parse(secrets.unseal(sealed)))
  } catch {
    return null
  }
}

/** The headers that the scheme Standard Webhooks prescribes. The id is the same for every attempt. */
export function createHeaders(
  { secret }: WebhookConfig,
  { id, body, now }: { id: string; body: string; now: number },
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
