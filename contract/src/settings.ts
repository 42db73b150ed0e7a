import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { twoFactorSettings } from './two-factor.ts'
import { count, line, message } from './wire.ts'

export const globalSettings = z.extend(twoFactorSettings, {
  dashboardBackgroundImage: z.nullable(z.string()),
})
export type GlobalSettings = z.output<typeof globalSettings>
const wrapped = z.object({ settings: globalSettings })

export const noticeMaxLength = 200
export const noticeDefault = 'Conversations may be reviewed by administrators'

/** What stands under the field people write in, about who may read what they write. */
export const reviewNotice = z.object({
  enabled: z.boolean(),
  text: line(noticeMaxLength, 'The notice needs words; to show none, switch it off'),
})
export type ReviewNotice = z.output<typeof reviewNotice>

const retentionWords = 'From 7 to 3650 days, or nothing'

/** How long a chat is kept after its last message. Null is for ever, and in a channel what holds everywhere. */
export const retentionDays = z.nullable(
  z
    .number(retentionWords)
    .check(z.int(retentionWords), z.gte(7, retentionWords), z.lte(3650, retentionWords)),
)

export const retention = z.object({ days: retentionDays })
export type Retention = z.output<typeof retention>

/** The same as it is typed: an empty field keeps chats for ever. */
export const retentionForm = z.object({
  days: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text: string) => (text.trim() === '' ? null : Number(text))),
    ),
    retentionDays,
  ),
})

export const conversationSettings = z.object({ reviewNotice, retention })
export type ConversationSettings = z.output<typeof conversationSettings>

/** Counted up to here: of more it is enough to know that they are many. */
export const previewMaximum = 100_000

/** How many chats the next run of the clean-up would delete. */
export const retentionPreview = z.object({ chats: z.number(), isCut: z.boolean() })
export type RetentionPreview = z.output<typeof retentionPreview>

const previewDays = count(7, 3650)

/** Without days it is asked of what holds now. */
export const previewQuery = z.object({ days: z.optional(previewDays) })

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
  conversations: endpoint({
    method: 'GET',
    path: '/settings/conversations',
    access: 'canAccessAdminPanel',
    summary: 'What people are told about their chats, and how long these are kept',
    reply: conversationSettings,
  }),
  setReviewNotice: endpoint({
    method: 'PUT',
    path: '/settings/conversations/notice',
    access: 'canManageSettings',
    summary: 'Change the notice that chats may be reviewed',
    body: reviewNotice,
    reply: conversationSettings,
  }),
  setRetention: endpoint({
    method: 'PUT',
    path: '/settings/conversations/retention',
    access: 'canManageSettings',
    summary: 'Change how long chats are kept where a channel says nothing else',
    body: retention,
    reply: conversationSettings,
  }),
  previewRetention: endpoint({
    method: 'GET',
    path: '/settings/conversations/retention/preview',
    access: 'canManageSettings',
    summary: 'How many chats would go at the next run if they were kept for so many days',
    query: previewQuery,
    reply: retentionPreview,
  }),
} as const
