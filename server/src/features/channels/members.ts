import type { ChannelMember } from '@lyceum/contract/channels'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { stopRepliesOf } from '../chats/reply-runner.ts'
import { holdPerson, requireUser } from '../users/access.ts'
import { requireVisibleChannel } from './access.ts'
import { presentMember } from './present.ts'
import { countMembers, deleteMember, holdChannel, insertMember, listMembers, updateMember } from './store.ts'

interface Page {
  search: string
  limit: number
  skip: number
}

interface MemberPage {
  items: ChannelMember[]
  total: number
  totalPages: number
}

export const membersFor = async (
  { db }: Deps,
  actor: Actor,
  channelId: string,
  page: Page,
): Promise<MemberPage> => {
  await requireVisibleChannel(db, actor, channelId)
  const members = await listMembers(db, channelId, page)
  const total = await countMembers(db, channelId, page.search)
  return { items: members.map(presentMember), total, totalPages: Math.ceil(total / page.limit) }
}

const invalidAccess = (): AppError => new AppError('user.invalid_access')

/**
 * Harmless for whoever is a member already. Only into what the one who grants it sees: managing people does not open
 * other channels to oneself.
 */
export const grantAccess = ({ db, now }: Deps, actor: Actor, channelId: string, userId: string) =>
  db.transaction().execute(async (tx) => {
    await requireVisibleChannel(tx, actor, channelId)
    const channel = await holdChannel(tx, channelId)
    if (channel === undefined) throw notFound()
    const { name } = await holdPerson(tx, userId, invalidAccess)
    await insertMember(tx, channelId, userId, now())
    return { message: `“${name}” has access to “${channel}”` }
  })

/** Harmless for whoever is no member. What is being written for them there ends with the access. */
export const revokeAccess = async (deps: Deps, actor: Actor, channelId: string, userId: string) => {
  const channel = await requireVisibleChannel(deps.db, actor, channelId)
  const { name } = await deps.db.transaction().execute(async (tx) => {
    const user = await holdPerson(tx, userId, invalidAccess)
    await deleteMember(tx, channelId, userId)
    return user
  })
  await stopRepliesOf(deps, { userId, channelId })
  return { message: `“${name}” has no access to “${channel.name}” any more` }
}

export const setChannelAdmin = async (
  { db }: Deps,
  actor: Actor,
  { channelId, userId }: { channelId: string; userId: string },
  isAdmin: boolean,
) => {
  const channel = await requireVisibleChannel(db, actor, channelId)
  const { name } = await requireUser(db, userId)
  if (!(await updateMember(db, channelId, userId, isAdmin))) throw notFound()
  return {
    message: isAdmin
      ? `“${name}” administers “${channel.name}”`
      : `“${name}” does not administer “${channel.name}” any more`,
  }
}
