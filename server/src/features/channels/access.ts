import type { Executor, Tx } from '#db/client.ts'
import { type Actor, can } from '../../actor.ts'
import { notFound } from '../../errors.ts'
import {
  type ChannelRow,
  existingChannelIds,
  findChannel,
  joinedChannelIds,
  lockChannel,
  type SeenChannel,
} from './store.ts'

export type { SeenChannel } from './store.ts'

/** Chatting goes by membership, for administrators too. */
export async function requireMember(db: Executor, actor: Actor, channelId: string): Promise<SeenChannel> {
  const channel = await findChannel(db, channelId, actor.userId)
  if (!channel?.is_member) throw notFound()
  return channel
}

/** Those who manage channels see every channel, others only their own. */
export async function requireVisibleChannel(
  db: Executor,
  actor: Actor,
  channelId: string,
): Promise<SeenChannel> {
  const channel = await findChannel(db, channelId, actor.userId)
  if (!channel || (!channel.is_member && !can(actor, 'canManageChannels'))) throw notFound()
  return channel
}

/** Loads and locks a channel, so that no other transaction changes or deletes it meanwhile. */
export async function requireLockedChannel(tx: Tx, channelId: string): Promise<ChannelRow> {
  const channel = await lockChannel(tx, channelId)
  if (!channel) throw notFound()
  return channel
}

/** Whether a person sees every one of several channels. */
export async function seesChannels(db: Executor, actor: Actor, ids: readonly string[]): Promise<boolean> {
  const seen = can(actor, 'canManageChannels')
    ? await existingChannelIds(db, ids)
    : await joinedChannelIds(db, actor.userId, ids)
  return seen.length === new Set(ids).size
}

/** Any channel, for calls whose flag already says that the caller works across channels. */
export async function requireChannel(db: Executor, actor: Actor, channelId: string): Promise<SeenChannel> {
  const channel = await findChannel(db, channelId, actor.userId)
  if (!channel) throw notFound()
  return channel
}

/** Whether this person administers the channel: an administrator who may edit channels, or its own administrator. */
export function administers(actor: Actor, channel: SeenChannel): boolean {
  return can(actor, 'canEditChannels') || channel.is_channel_admin === 1
}
