import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { twoFactorSettings } from './two-factor.ts'
import { confirmation } from './wire.ts'

export const globalSettings = z.extend(twoFactorSettings, {
  dashboardBackgroundImage: z.nullable(z.string()),
})
export type GlobalSettings = z.output<typeof globalSettings>
const settingsReply = z.object({ settings: globalSettings })

export const settingsApi = {
  get: endpoint({
    method: 'GET',
    path: '/global-settings',
    access: 'canAccessAdminPanel',
    summary: 'Get the global settings',
    reply: settingsReply,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/global-settings',
    access: 'canManageSettings',
    summary: 'Change the global settings',
    body: twoFactorSettings,
    reply: settingsReply,
  }),
  setBackground: endpoint({
    method: 'POST',
    path: '/global-settings/dashboard-background',
    access: 'canManageSettings',
    limit: 'upload',
    summary: 'Set the dashboard background',
    upload: { field: 'background', kind: 'image', fields: z.object({}) },
    reply: z.object({ dashboardBackgroundImage: z.string(), message: z.string() }),
  }),
  removeBackground: endpoint({
    method: 'DELETE',
    path: '/global-settings/dashboard-background',
    access: 'canManageSettings',
    summary: 'Remove the dashboard background',
    reply: confirmation,
  }),
  background: endpoint({
    method: 'GET',
    path: '/global-settings/dashboard-background',
    access: 'signed-in',
    summary: 'Get the dashboard background',
    reply: 'file',
    // Without a background, an empty body.
    contentTypes: ['image/webp', 'application/octet-stream'],
  }),
} as const
