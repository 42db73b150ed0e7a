/** The model's connection in the settings, for system administrators. */
export const modelSettingsPath = '/admin/settings?section=connections#model'

/** The mail server in the settings, for system administrators. */
export const mailSettingsPath = '/admin/settings?section=connections#mail'
