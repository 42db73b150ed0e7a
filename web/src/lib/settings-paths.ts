/** The model's connection in the settings, for system administrators. */
export const modelSettingsPath = '/admin/settings?section=connections#model'

/** The same, for a user who may want to go back to this channel. */
export function modelSettingsPathFrom(channelId: string): string {
  return `/admin/settings?section=connections&channel=${encodeURIComponent(channelId)}#model`
}

/** The mail server in the settings, for system administrators. */
export const mailSettingsPath = '/admin/settings?section=connections#mail'
