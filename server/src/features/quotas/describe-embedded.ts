import type { EmbeddedChannel } from '@lyceum/contract/embedding'
import type { Deps } from '../../deps.ts'
import { requireEmbeddedChannel } from '../embedding/sign-ins.ts'
import { findUsedUpVisitorQuota } from './spend-quota.ts'

/** For everyone: only channels that allow visitors tell their name, and whether a new visitor could ask. */
export async function describeEmbedded({ db, now }: Deps, channelId: string): Promise<EmbeddedChannel> {
  const channel = await requireEmbeddedChannel(db, channelId)
  if (!channel.allowsVisitors) return { _id: channelId, name: null, description: null, allowsVisitors: false }
  const usedUp = await findUsedUpVisitorQuota(db, channelId, channel.allVisitorMessagesPerDay, now())
  const { name, description } = channel
  return { _id: channelId, name, description, allowsVisitors: true, ...(usedUp ? { usedUp } : {}) }
}
