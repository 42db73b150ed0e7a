import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { type ChannelForUser, canAdministerChannel, requireMember } from '../../channels/access.ts'

/** The user that messages are presented to. */
export interface Viewer {
  channelId: string
  /** Whether replies show which model wrote them. Members never see the model of a channel. */
  canSeeModels: boolean
}

export function createViewer(actor: Actor, channel: ChannelForUser): Viewer {
  return { channelId: channel.id, canSeeModels: canAdministerChannel(actor, channel) }
}

export async function findViewer(deps: Deps, actor: Actor, channelId: string): Promise<Viewer> {
  return createViewer(actor, await requireMember(deps.db, actor, channelId))
}
