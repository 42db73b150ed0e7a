import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { previewQuery, retentionDays, retentionPreview } from './retention.ts'
import {
  confirmation,
  id,
  idParams,
  intParam,
  isoTimestamp,
  list,
  multiLine,
  optionalLine,
  paging,
  singleLine,
  visible,
} from './wire.ts'

/** The model labels of custom channels. docs/answers.md, "Models" explains which model answers for a label. */
export const languageModels = [
  'gpt-4o',
  'gpt-4o-mini',
  'o1',
  'o1-pro',
  'o3-mini',
  'o1-mini',
  'gpt-4o-mini-search-preview',
] as const
const modelRequired = 'Language model is required'
function explainModel({ input }: { input?: unknown }): string {
  return input === undefined || input === ''
    ? modelRequired
    : `Unknown model. Choose one of these: ${languageModels.join(', ')}`
}
export const languageModel = z.enum(languageModels, { error: explainModel })
export type LanguageModel = z.output<typeof languageModel>

/** Images must be smaller than this. */
export const imageMaxBytes = 5 * 1024 * 1024
export const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

/** Our server sends a URL. The specification also allows an object that names the storage. */
const wallpaper = z.union([
  z.string(),
  z.object({ storageType: z._default(z.enum(['local', 's3']), 'local'), s3Key: z.optional(z.string()) }),
])

/**
 * Why a channel cannot answer until an administrator has changed its setup. 'no-documents': a strict channel without
 * approved documents. 'no-documents-or-model': a channel with neither.
 */
export const setupProblem = z.enum([
  'no-model',
  'not-configured',
  'gone',
  'no-documents',
  'no-documents-or-model',
])
export type SetupProblem = z.output<typeof setupProblem>

export const channelMember = z.object({
  _id: id,
  email: z.string(),
  name: z.string(),
  isAdmin: z.optional(z.boolean()),
})
export type ChannelMember = z.output<typeof channelMember>

const named = z.object({ _id: id, name: z.string() })

/** A member with where the access comes from. */
export const listedMember = z.extend(channelMember, {
  /** Whether an administrator added the user, alone or besides groups. */
  isByHand: z.boolean(),
  /** The groups that give the access, sorted by name. It cannot be revoked while there are any. */
  groups: z.array(named),
  /** The issuers whose rules give the access, and give it again at the next sign-in after it was revoked. */
  issuers: z.array(z.object({ _id: z.string(), name: z.string() })),
})
export type ListedMember = z.output<typeof listedMember>

/** The optional fields are sent only to users who manage channels, unless noted. */
export const channel = z.object({
  _id: id,
  name: z.string(),
  description: z.string(),
  avatar: z.nullable(z.string()),
  wallpaper: z.nullable(wallpaper),
  /** Whether the viewer administers this channel. */
  isAdmin: z.boolean(),
  /** True for an archived channel, otherwise omitted. */
  isArchived: z.optional(z.boolean()),
  /** Whether members can propose documents. */
  allowProposals: z.boolean(),
  /** Whether members can attach files to their questions. */
  allowAttachments: z.optional(z.boolean()),
  /** Whether these files can be pictures: the model takes them, and replies are not limited to documents. */
  allowPictures: z.optional(z.boolean()),
  /** Ordinary users see only themselves here; users who manage channels see all members. */
  users: z.array(channelMember),
  /** Sent to all members, with a single channel only: the notice below the message field; null when off. */
  reviewNotice: z.optional(z.nullable(z.string())),
  /** Sent to all members, with a single channel only: the retention period in days; null means forever. */
  chatsKeptDays: z.optional(z.nullable(z.number())),
  /** Sent to all members. Omitted when the channel can reply as far as the server knows. */
  setupProblem: z.optional(setupProblem),
  isMember: z.optional(z.boolean()),
  memberCount: z.optional(z.number()),
  documentCount: z.optional(z.number()),
  /** Of these documents, how many are approved and indexed. */
  answerableDocumentCount: z.optional(z.number()),
  /** Of these documents, how many wait for approval. */
  pendingDocumentCount: z.optional(z.number()),
  /** Of these documents, how many are approved and could not be indexed. */
  failedDocumentCount: z.optional(z.number()),
  /** On how many other sites it can be used. Omitted when it is used on none. */
  embeddedSiteCount: z.optional(z.number()),
  /** Whether users without an account can chat there. Omitted when they cannot. */
  allowsVisitors: z.optional(z.literal(true)),
  /** Sent with a single channel only: number of chats that would be deleted with the channel. */
  chatCount: z.optional(z.number()),
  systemPrompt: z.optional(z.string()),
  llmModel: z.optional(z.string()),
  strictDocumentsOnly: z.optional(z.boolean()),
  /** Whether a model confirms each citation before it is shown. */
  checkCitations: z.optional(z.boolean()),
  useAssistant: z.optional(z.boolean()),
  openaiAssistantId: z.optional(z.string()),
  /** Sent to everyone who administers the channel, too. Empty when none are set. */
  starterQuestions: z.optional(z.array(z.string())),
  /** The channel's own retention period in days; null uses the global setting. */
  retentionDays: z.optional(z.nullable(z.number())),
  createdAt: z.optional(isoTimestamp),
  updatedAt: z.optional(isoTimestamp),
  /** A sentence for administrators, for example that the model is not available. */
  warning: z.optional(z.string()),
})
export type Channel = z.output<typeof channel>

const assistantId = z
  .string()
  .check(z.trim(), z.regex(/^$|^[A-Za-z0-9_.:-]{1,128}$/, 'Use only letters, digits and . _ : -'))

export const starterMaxCount = 3
export const starterMaxLength = 200

/** Questions that an empty chat offers. Blank and repeated ones are dropped. */
const starterQuestions = z.array(optionalLine(starterMaxLength)).check(
  z.overwrite((questions) => [...new Set(questions)].filter((question) => visible.test(question))),
  z.maxLength(starterMaxCount, `At most ${starterMaxCount} questions`),
)

export const starterQuestionsInput = z.object({ starterQuestions })
export type StarterQuestionsInput = z.output<typeof starterQuestionsInput>

export const channelInput = z
  .object({
    name: singleLine(500, 'Name is required'),
    description: singleLine(2000, 'Description is required'),
    systemPrompt: z._default(multiLine(16_000), ''),
    llmModel: z._default(z.enum([...languageModels, ''], { error: explainModel }), ''),
    strictDocumentsOnly: z._default(z.boolean(), false),
    /** Omit it to leave it unchanged. Has no effect on a ready-made assistant channel, and without a model. */
    checkCitations: z.optional(z.boolean()),
    /** Omit it to leave it unchanged. Has no effect on a ready-made assistant channel. */
    allowProposals: z.optional(z.boolean()),
    /** Omit it to leave it unchanged. New channels allow it. Has no effect on a ready-made assistant channel. */
    allowAttachments: z.optional(z.boolean()),
    useAssistant: z._default(z.boolean(), false),
    openaiAssistantId: z._default(assistantId, ''),
    /** Omit them to leave them unchanged. */
    starterQuestions: z.optional(starterQuestions),
    /** Omit it to leave it unchanged. */
    retentionDays: z.optional(retentionDays),
  })
  .check(
    z.refine((form) => !form.useAssistant || form.openaiAssistantId !== '', {
      error: 'Assistant ID is required',
      path: ['openaiAssistantId'],
    }),
    z.refine((form) => form.useAssistant || form.llmModel !== '', {
      error: modelRequired,
      path: ['llmModel'],
    }),
  )
export type ChannelInput = z.output<typeof channelInput>

/** A malformed id becomes empty, so that it gets the same error as an unknown user: `user.invalid_access`. */
const membership = z.object({ userId: z.catch(id, '') })
const memberParams = z.object({ id, userId: id })

/** Whether a list contains archived channels. */
export const archivedFilter = z.enum(['exclude', 'include', 'only'])
export type ArchivedFilter = z.output<typeof archivedFilter>

export const channelsApi = {
  list: endpoint({
    method: 'GET',
    path: '/channels',
    access: 'signed-in',
    summary: 'List your channels; users who manage channels get all of them, with isMember',
    query: z.object({
      ...paging,
      search: z.optional(z.string().check(z.maxLength(200))),
      archived: z._default(archivedFilter, 'exclude'),
    }),
    reply: list(channel),
  }),
  get: endpoint({
    method: 'GET',
    path: '/channels/:id',
    access: 'signed-in',
    embeddedParam: 'id',
    summary: 'Get a channel',
    params: idParams,
    reply: channel,
  }),
  create: endpoint({
    method: 'POST',
    path: '/channels',
    access: 'canCreateChannels',
    summary: 'Create a channel and become its first member',
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
    reply: confirmation,
  }),
  archive: endpoint({
    method: 'PUT',
    path: '/channels/:id/archive',
    access: 'canEditChannels',
    summary: 'Archive a channel so that nothing can be added to it, or restore it',
    params: idParams,
    body: z.object({ isArchived: z.boolean() }),
    reply: confirmation,
  }),
  previewRetention: endpoint({
    method: 'GET',
    path: '/channels/:id/retention/preview',
    access: 'canEditChannels',
    summary: 'Count the chats of a channel that the next clean-up would delete with this retention period',
    params: idParams,
    query: previewQuery,
    reply: retentionPreview,
  }),
  members: endpoint({
    method: 'GET',
    path: '/channels/:id/users',
    access: 'canManageUsers',
    summary: 'List the members of a channel with where their access comes from, filtered by name or email',
    params: idParams,
    query: z.object({
      limit: z._default(intParam(1, 500), 100),
      skip: z._default(intParam(0, 10_000_000), 0),
      search: z._default(z.string().check(z.maxLength(200)), ''),
    }),
    reply: z.object({ items: z.array(listedMember), total: z.number(), totalPages: z.number() }),
  }),
  grant: endpoint({
    method: 'POST',
    path: '/channels/:id/users',
    access: 'canManageUsers',
    summary: 'Give a user access to a channel',
    params: idParams,
    body: membership,
    reply: confirmation,
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/channels/:id/users',
    access: 'canManageUsers',
    summary: 'Revoke a user’s access to a channel',
    params: idParams,
    body: membership,
    reply: confirmation,
  }),
  setChannelAdmin: endpoint({
    method: 'PUT',
    path: '/channels/:id/users/:userId',
    access: 'canManageUsers',
    summary: 'Make a member a channel administrator, or take that role away',
    params: memberParams,
    body: z.object({ isAdmin: z.boolean() }),
    reply: confirmation,
  }),
  setStarters: endpoint({
    method: 'PUT',
    path: '/channels/:id/starters',
    access: 'signed-in',
    summary: 'Set the starter questions of a channel',
    params: idParams,
    body: starterQuestionsInput,
    reply: confirmation,
  }),
  setWallpaper: endpoint({
    method: 'POST',
    path: '/channels/:id/wallpaper',
    access: 'signed-in',
    limit: 'upload',
    summary: 'Set the wallpaper of a channel',
    params: idParams,
    upload: { field: 'wallpaper', kind: 'image', fields: z.object({}) },
    reply: z.object({ wallpaper: z.string(), message: z.string() }),
  }),
  removeWallpaper: endpoint({
    method: 'DELETE',
    path: '/channels/:id/wallpaper',
    access: 'signed-in',
    summary: 'Remove the wallpaper of a channel',
    params: idParams,
    reply: confirmation,
  }),
  wallpaper: endpoint({
    method: 'GET',
    path: '/channels/:id/wallpaper',
    access: 'signed-in',
    embeddedParam: 'id',
    summary: 'Get the wallpaper of a channel',
    params: idParams,
    reply: 'file',
    contentTypes: ['image/webp'],
  }),
} as const
