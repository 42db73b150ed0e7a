import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { previewQuery, retentionDays, retentionPreview } from './retention.ts'
import { singleLine } from './wire.ts'

export const noticeMaxLength = 200
export const noticeDefault = 'Conversations may be reviewed by administrators'

/** The notice below the message field, which tells users that their chats may be reviewed. */
export const reviewNotice = z.object({
  enabled: z.boolean(),
  text: singleLine(noticeMaxLength, 'Enter the notice text, or turn the notice off'),
})
export type ReviewNotice = z.output<typeof reviewNotice>

export const retention = z.object({ days: retentionDays })
export type Retention = z.output<typeof retention>

/** Validates the form, in which an empty field means that chats are kept forever. */
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
    summary: 'Get the review notice and the retention period',
    reply: conversationSettings,
  }),
  setNotice: endpoint({
    method: 'PUT',
    path: '/settings/conversations/notice',
    access: 'canManageSettings',
    summary: 'Change the review notice',
    body: reviewNotice,
    reply: conversationSettings,
  }),
  setRetention: endpoint({
    method: 'PUT',
    path: '/settings/conversations/retention',
    access: 'canManageSettings',
    summary: 'Change the default retention period',
    body: retention,
    reply: conversationSettings,
  }),
  previewRetention: endpoint({
    method: 'GET',
    path: '/settings/conversations/retention/preview',
    access: 'canManageSettings',
    summary: 'Count the chats that the next clean-up would delete with this retention period',
    query: previewQuery,
    reply: retentionPreview,
  }),
} as const
