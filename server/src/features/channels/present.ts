import type { Channel, ChannelMember } from '@lyceum/contract/channels'
import { getImageVersion } from '#files/images.ts'
import { type Actor, can } from '../../actor.ts'
import { allowsAttachments, allowsPictures, canAdministerChannel } from './access.ts'
import { parseStarterQuestions } from './starter-questions.ts'
import type { ChannelCounts, ChannelForUser, MemberRow } from './store.ts'

export interface ManagementDetails {
  counts: ChannelCounts
  members: MemberRow[]
  /** Null in lists, which do not count chats. */
  chats: number | null
  warning: string | null
}

/** The URL changes with the picture, so that browsers can cache it. */
export function createWallpaperUrl(channelId: string, fileKey: string): string {
  return `/api/channels/${channelId}/wallpaper?v=${getImageVersion(fileKey)}`
}

/** The fields that members see: never the prompt, the model or other members. Administrators see starter questions. */
function presentToMember(
  actor: Actor,
  channel: ChannelForUser,
  takesPictures: (label: string) => boolean,
): Channel {
  const isAdmin = canAdministerChannel(actor, channel)
  return {
    _id: channel.id,
    name: channel.name,
    description: channel.description,
    avatar: channel.avatar,
    wallpaper: channel.wallpaper_file && createWallpaperUrl(channel.id, channel.wallpaper_file),
    isAdmin,
    ...(channel.archived_at === null ? {} : { isArchived: true }),
    allowProposals: channel.allow_proposals === 1,
    allowAttachments: allowsAttachments(channel),
    allowPictures: allowsPictures(channel) && takesPictures(channel.llm_model),
    users: channel.is_member ? [{ _id: actor.userId, email: actor.email, name: actor.name }] : [],
    ...(isAdmin ? { starterQuestions: parseStarterQuestions(channel) } : {}),
  }
}

export function presentMember({ id, email, name, is_admin }: MemberRow): ChannelMember {
  return {
    _id: id,
    email,
    name,
    isAdmin: is_admin === 1,
  }
}

export function canManageChannels(actor: Actor): boolean {
  return can(actor, 'canManageChannels')
}

export function presentChannel(
  actor: Actor,
  channel: ChannelForUser,
  takesPictures: (label: string) => boolean,
  details: ManagementDetails | null,
): Channel {
  const memberView = presentToMember(actor, channel, takesPictures)
  if (!details) return memberView
  return {
    ...memberView,
    users: details.members.map(presentMember),
    isMember: channel.is_member === 1,
    memberCount: details.counts.members,
    documentCount: details.counts.documents,
    answerableDocumentCount: details.counts.answerableDocuments,
    pendingDocumentCount: details.counts.pendingDocuments,
    failedDocumentCount: details.counts.failedDocuments,
    ...(details.counts.sites > 0 ? { embeddedSiteCount: details.counts.sites } : {}),
    ...(details.counts.sites > 0 && details.counts.allowsVisitors ? { allowsVisitors: true } : {}),
    ...(details.chats === null ? {} : { chatCount: details.chats }),
    systemPrompt: channel.system_prompt,
    llmModel: channel.llm_model,
    strictDocumentsOnly: channel.strict_documents_only === 1,
    checkCitations: channel.check_citations === 1,
    useAssistant: channel.use_assistant === 1,
    openaiAssistantId: channel.assistant_id,
    starterQuestions: parseStarterQuestions(channel),
    retentionDays: channel.retention_days,
    createdAt: new Date(channel.created_at).toISOString(),
    updatedAt: new Date(channel.updated_at).toISOString(),
    ...(details.warning ? { warning: details.warning } : {}),
  }
}
