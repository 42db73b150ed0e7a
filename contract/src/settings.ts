import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { twoFactorSettings } from './two-factor.ts'
import { message } from './wire.ts'

export const globalSettings = z.extend(twoFactorSettings, {
  dashboardBackgroundImage: z.nullable(z.string()),
})
export type GlobalSettings = z.output<typeof globalSettings>
const wrapped = z.object({ settings: globalSettings })

export const settingsApi = {
  get: endpoint({
    method: 'GET',
    path: '/global-settings',
    access: 'canAccessAdminPanel',
    summary: 'The global settings',
    reply: wrapped,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/global-settings',
    access: 'canManageSettings',
    summary: 'Change the global settings',
    body: twoFactorSettings,
    reply: wrapped,
  }),
  setBackground: endpoint({
    method: 'POST',
    path: '/global-settings/dashboard-background',
    access: 'canManageSettings',
    limit: 'upload',
    summary: 'Set the picture behind the dashboard',
    upload: { field: 'background', kind: 'image', fields: z.object({}) },
    reply: z.object({ dashboardBackgroundImage: z.string(), message: z.string() }),
  }),
  removeBackground: endpoint({
    method: 'DELETE',
    path: '/global-settings/dashboard-background',
    access: 'canManageSettings',
    summary: 'Remove the picture behind the dashboard',
    reply: message,
  }),
  background: endpoint({
    method: 'GET',
    path: '/global-settings/dashboard-background',
    access: 'signed-in',
    summary: 'The picture behind the dashboard',
    reply: 'file',
  }),
} as const
