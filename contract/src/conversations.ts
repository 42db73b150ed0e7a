import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { previewQuery, retentionDays, retentionPreview } from './retention.ts'
import { line } from './wire.ts'

export const noticeMaxLength = 200
export const noticeDefault = 'Conversations may be reviewed by administrators'

/** What stands under the field people write in, about who may read what they write. */
export const reviewNotice = z.object({
  enabled: z.boolean(),
  text: line(noticeMaxLength, 'The notice needs words; to show none, switch it off'),
})
export type ReviewNotice = z.output<typeof reviewNotice>

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

export const conversationsApi = {
  get: endpoint({
    method: 'GET',
    path: '/settings/conversations',
    access: 'canAccessAdminPanel',
    summary: 'What people are told about their chats, and how long these are kept',
    reply: conversationSettings,
  }),
  setNotice: endpoint({
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
