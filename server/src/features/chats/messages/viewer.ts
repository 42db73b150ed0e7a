import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { type ChannelForUser, canAdministerChannel, requireMember } from '../../channels/access.ts'

/** The user that messages are presented to. */
export interface Viewer {
  channelId: string
  /** Whether replies show which model wrote them, and what was not checked. Members never see the model of a channel. */
  canSeeDetails: boolean
  /** Whether it is the viewer's own chat: nobody else can open files that are attached to it. */
  isOwner: boolean
}

/** The viewer of the user's own chat. */
export function createViewer(actor: Actor, channel: ChannelForUser): Viewer {
  return { channelId: channel.id, canSeeDetails: canAdministerChannel(actor, channel), isOwner: true }
}

export async function findViewer(deps: Deps, actor: Actor, channelId: string): Promise<Viewer> {
  return createViewer(actor, await requireMember(deps.db, actor, channelId))
}
