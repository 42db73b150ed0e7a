import type { StatusPart } from '@lyceum/contract/status'

/** The model's connection in the settings, for system administrators. */
export const modelSettingsPath = '/admin/settings?section=connections#model'

/** The same, for a user who may want to go back to this channel. */
export function modelSettingsPathFrom(channelId: string): string {
  return `/admin/settings?section=connections&channel=${encodeURIComponent(channelId)}#model`
}

/** The embedding server in the settings, for system administrators. */
export const embeddingsSettingsPath = '/admin/settings?section=connections#embeddings'

/** The reranker in the settings, for system administrators. */
export const rerankingSettingsPath = '/admin/settings?section=connections#reranking'

/** The mail server in the settings, for system administrators. */
export const mailSettingsPath = '/admin/settings?section=connections#mail'

/** The receivers of the audit log and the webhooks in the settings, for system administrators. */
export const eventsSettingsPath = '/admin/settings?section=events'

/** The hash of the URL that leads to a part under Status. */
export function getStatusAnchor(part: StatusPart): string {
  return `status-${part}`
}

/** A part of the installation under Status. */
export function statusPathOf(part: StatusPart): string {
  return `/admin/settings?section=state#${getStatusAnchor(part)}`
}
