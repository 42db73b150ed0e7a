import { listMaximum } from '@lyceum/contract/wire'
import type { Executor, Tx } from '#db/client.ts'
import { type Actor, can } from '../../actor.ts'
import { AppError, notFound } from '../../errors.ts'
import {
  type ChannelForUser,
  type ChannelRow,
  findChannel,
  findExistingChannelIds,
  findJoinedChannelIds,
  listChannels,
  lockChannel,
  lockChannelShared,
  lockChannels,
} from './store.ts'

export type { ChannelForUser } from './store.ts'

/** Only members may chat in a channel, including administrators. */
export async function requireMember(db: Executor, actor: Actor, channelId: string): Promise<ChannelForUser> {
  const channel = await findChannel(db, channelId, actor.userId)
  if (!channel?.is_member) throw notFound()
  return channel
}

/** The channels in which the user can chat, in the order of their names. */
export function listJoinedChannels(db: Executor, { userId }: Actor): Promise<ChannelForUser[]> {
  return listChannels(db, { userId, all: false, archived: 'exclude', limit: listMaximum, skip: 0 })
}

/** Users with `canManageChannels` see every channel, others only those they are members of. */
export async function requireVisibleChannel(
  db: Executor,
  actor: Actor,
  channelId: string,
  createError = notFound,
): Promise<ChannelForUser> {
  const channel = await findChannel(db, channelId, actor.userId)
  if (!channel || (!channel.is_member && !can(actor, 'canManageChannels'))) throw createError()
  return channel
}

/** Locks the channel so that no other transaction can change or delete it meanwhile. */
export async function requireLockedChannel(
  tx: Tx,
  channelId: string,
  createError = notFound,
): Promise<ChannelRow> {
  const channel = await lockChannel(tx, channelId)
  if (!channel) throw createError()
  return channel
}

/** Locks channels whose members change, and returns those that exist. Take this lock before those of users. */
export function lockExistingChannels(tx: Tx, ids: readonly string[]): Promise<ChannelRow[]> {
  return lockChannels(tx, ids)
}

/**
 * Keeps the channel from being archived until the transaction ends. Take this lock before those of users and chats,
 * because deleting a channel locks it before its chats. Check the row that you read afterwards.
 */
export async function keepChannelUnchanged(tx: Tx, channelId: string): Promise<void> {
  await lockChannelShared(tx, channelId)
}

export function allowsAttachments({
  allow_attachments,
  use_assistant,
}: Pick<ChannelRow, 'allow_attachments' | 'use_assistant'>): boolean {
  return allow_attachments === 1 && use_assistant === 0
}

/** Strict channels allow none: a reply cannot cite a picture. The model must take pictures, too. */
export function allowsPictures(
  channel: Pick<ChannelRow, 'allow_attachments' | 'use_assistant' | 'strict_documents_only'>,
): boolean {
  return allowsAttachments(channel) && channel.strict_documents_only === 0
}

/** Only a check of a locked channel is final. */
export function requireNotArchived({ archived_at }: Pick<ChannelRow, 'archived_at'>): void {
  if (archived_at !== null) throw new AppError('channel.archived')
}

export async function isMemberOfAll(
  db: Executor,
  userId: string,
  channelIds: readonly string[],
): Promise<boolean> {
  return (await findJoinedChannelIds(db, userId, channelIds)).length === new Set(channelIds).size
}

export async function canSeeChannels(db: Executor, actor: Actor, ids: readonly string[]): Promise<boolean> {
  if (!can(actor, 'canManageChannels')) return isMemberOfAll(db, actor.userId, ids)
  return (await findExistingChannelIds(db, ids)).length === new Set(ids).size
}

/** Those of the channels that the actor can see. */
export async function listVisibleChannelIds(
  db: Executor,
  actor: Actor,
  ids: readonly string[],
): Promise<Set<string>> {
  return new Set(can(actor, 'canManageChannels') ? ids : await findJoinedChannelIds(db, actor.userId, ids))
}

/** Any channel. Only for calls whose permission already covers all channels. */
export async function requireChannel(db: Executor, actor: Actor, channelId: string): Promise<ChannelForUser> {
  const channel = await findChannel(db, channelId, actor.userId)
  if (!channel) throw notFound()
  return channel
}

/** True for users with `canEditChannels` and for the channel’s own administrators, but never on another site. */
export function canAdministerChannel(actor: Actor, channel: ChannelForUser): boolean {
  if (actor.boundChannelId !== null) return false
  return can(actor, 'canEditChannels') || channel.is_channel_admin === 1
}

/** The channel, if the actor administers it. `action` completes the refusal. */
export async function requireAdministeredChannel(
  db: Executor,
  actor: Actor,
  channelId: string,
  action: string,
): Promise<ChannelForUser> {
  const channel = await requireVisibleChannel(db, actor, channelId)
  if (canAdministerChannel(actor, channel)) return channel
  throw new AppError('permission.denied', {
    message: `Only an administrator of this channel may ${action}`,
  })
}
