import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { previewQuery, retentionDays, retentionPreview } from './retention.ts'
import { count, id, idParams, instant, line, list, message, paging, prose } from './wire.ts'

/** The labels a custom channel chooses from. Which model answers for a label: docs/answers.md, "Models". */
export const languageModels = [
  'gpt-4o',
  'gpt-4o-mini',
  'o1',
  'o1-pro',
  'o3-mini',
  'o1-mini',
  'gpt-4o-mini-search-preview',
] as const
export const languageModel = z.enum(languageModels)
export type LanguageModel = z.output<typeof languageModel>

/** Pictures are smaller than this. */
export const imageMaxBytes = 5 * 1024 * 1024
export const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

/** Where a channel's picture is, for whoever asks with a session: our server says its address, others may say a place. */
const wallpaper = z.union([
  z.string(),
  z.object({ storageType: z._default(z.enum(['local', 's3']), 'local'), s3Key: z.optional(z.string()) }),
])

export const channelMember = z.object({
  _id: id,
  email: z.string(),
  name: z.string(),
  isAdmin: z.optional(z.boolean()),
})
export type ChannelMember = z.output<typeof channelMember>

/** What everyone in a channel sees, and for those who manage channels what it is made of. */
export const channel = z.object({
  _id: id,
  name: z.string(),
  description: z.string(),
  avatar: z.nullable(z.string()),
  wallpaper: z.nullable(wallpaper),
  /** Whether the viewer administers this channel. */
  isAdmin: z.boolean(),
  /** Whether members may put documents forward. */
  allowProposals: z.boolean(),
  /** Only the viewer for ordinary users, the members for those who manage channels. */
  users: z.array(channelMember),
  /** On the single channel only: what to say under the field one writes in; null for nothing. */
  reviewNotice: z.optional(z.nullable(z.string())),
  /** On the single channel only: for how many days chats are kept after their last message; null is for ever. */
  chatsKeptDays: z.optional(z.nullable(z.number())),
  isMember: z.optional(z.boolean()),
  memberCount: z.optional(z.number()),
  documentCount: z.optional(z.number()),
  /** On the single channel only: how many chats would go with it. */
  chatCount: z.optional(z.number()),
  systemPrompt: z.optional(z.string()),
  llmModel: z.optional(z.string()),
  strictDocumentsOnly: z.optional(z.boolean()),
  useAssistant: z.optional(z.boolean()),
  openaiAssistantId: z.optional(z.string()),
  /** The channel's own choice; null follows what holds everywhere. */
  retentionDays: z.optional(z.nullable(z.number())),
  createdAt: z.optional(instant),
  updatedAt: z.optional(instant),
  /** Something about the channel that its administrator should know, in words. */
  warning: z.optional(z.string()),
})
export type Channel = z.output<typeof channel>

const assistantId = z
  .string()
  .check(z.trim(), z.regex(/^$|^[A-Za-z0-9_.:-]{1,128}$/, 'Letters, digits, and . _ : - only'))

export const channelInput = z
  .object({
    name: line(500, 'Name is required'),
    description: line(2000, 'Description is required'),
    systemPrompt: z._default(prose(16_000), ''),
    llmModel: z._default(z.union([languageModel, z.literal('')]), ''),
    strictDocumentsOnly: z._default(z.boolean(), false),
    /** Left out, it stays as it is. Without effect on a ready-made assistant channel, which takes no documents. */
    allowProposals: z.optional(z.boolean()),
    useAssistant: z._default(z.boolean(), false),
    openaiAssistantId: z._default(assistantId, ''),
    /** Left out, it stays as it is. */
    retentionDays: z.optional(retentionDays),
  })
  .check(
    z.refine((form) => !form.useAssistant || form.openaiAssistantId !== '', {
      error: 'Assistant id is required',
      path: ['openaiAssistantId'],
    }),
    z.refine((form) => form.useAssistant || form.llmModel !== '', {
      error: 'Language model is required',
      path: ['llmModel'],
    }),
  )
export type ChannelInput = z.output<typeof channelInput>

/** What is no id reads as none, so that the server answers for both with the product's own words. */
const membership = z.object({ userId: z.catch(id, '') })
const memberParams = z.object({ id, userId: id })

export const channelsApi = {
  list: endpoint({
    method: 'GET',
    path: '/channels',
    access: 'signed-in',
    summary: 'One’s channels; for administrators all, told apart by isMember',
    query: z.object({ ...paging, search: z.optional(z.string().check(z.maxLength(200))) }),
    reply: list(channel),
  }),
  get: endpoint({
    method: 'GET',
    path: '/channels/:id',
    access: 'signed-in',
    summary: 'One channel',
    params: idParams,
    reply: channel,
  }),
  create: endpoint({
    method: 'POST',
    path: '/channels',
    access: 'canCreateChannels',
    summary: 'Create a channel; whoever creates it is a member',
    body: channelInput,
    reply: channel,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/channels/:id',
    access: 'canEditChannels',
    summary: 'Change a channel',
    params: idParams,
    body: channelInput,
    reply: channel,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/channels/:id',
    access: 'canDeleteChannels',
    summary: 'Delete a channel with its documents and chats',
    params: idParams,
    reply: message,
  }),
  previewRetention: endpoint({
    method: 'GET',
    path: '/channels/:id/retention/preview',
    access: 'canEditChannels',
    summary: 'How many chats of a channel would go at the next run if they were kept for so many days',
    params: idParams,
    query: previewQuery,
    reply: retentionPreview,
  }),
  members: endpoint({
    method: 'GET',
    path: '/channels/:id/users',
    access: 'canManageUsers',
    summary: 'The members of a channel, all or those whose name or address contains the search',
    params: idParams,
    query: z.object({
      limit: z._default(count(1, 500), 100),
      skip: z._default(count(0, 10_000_000), 0),
      search: z._default(z.string().check(z.maxLength(200)), ''),
    }),
    reply: z.object({ items: z.array(channelMember), total: z.number(), totalPages: z.number() }),
  }),
  grant: endpoint({
    method: 'POST',
    path: '/channels/:id/users',
    access: 'canManageUsers',
    summary: 'Give a user access to a channel',
    params: idParams,
    body: membership,
    reply: message,
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/channels/:id/users',
    access: 'canManageUsers',
    summary: 'Take a user’s access to a channel away',
    params: idParams,
    body: membership,
    reply: message,
  }),
  setMember: endpoint({
    method: 'PUT',
    path: '/channels/:id/users/:userId',
    access: 'canManageUsers',
    summary: 'Make a member an administrator of a channel, or not',
    params: memberParams,
    body: z.object({ isAdmin: z.boolean() }),
    reply: message,
  }),
  setWallpaper: endpoint({
    method: 'POST',
    path: '/channels/:id/wallpaper',
    access: 'signed-in',
    limit: 'upload',
    summary: 'Set the picture behind a channel’s chats',
    params: idParams,
    upload: { field: 'wallpaper', kind: 'image', fields: z.object({}) },
    reply: z.object({ wallpaper: z.string(), message: z.string() }),
  }),
  removeWallpaper: endpoint({
    method: 'DELETE',
    path: '/channels/:id/wallpaper',
    access: 'signed-in',
    summary: 'Remove the picture behind a channel’s chats',
    params: idParams,
    reply: message,
  }),
  wallpaper: endpoint({
    method: 'GET',
    path: '/channels/:id/wallpaper',
    access: 'signed-in',
    summary: 'The picture behind a channel’s chats',
    params: idParams,
    reply: 'file',
  }),
} as const
