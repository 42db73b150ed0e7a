import type { Deps } from '../server/src/deps.ts'
import { createChat } from '../server/src/features/chats/chats.ts'
import { createAdmin, createUser } from '../server/src/testing/factories.ts'
import { getActor } from './actors.ts'
import { fillChat } from './fill-chat.ts'
import { createChannelId as channelNumbered } from './large-records.ts'

const ownChannels = 10
const ownChats = 100

/** The users whose calls are timed, and their chats. */
export interface BenchUsers {
  token: string
  adminToken: string
  channelId: string
  shortChatId: string
  longChatId: string
}

function createMessageText(number: number): string {
  return `Message ${number} says what there is to say about the matter, and why. `.repeat(4)
}

/** Creates a member with many chats in one channel, one of them very long, and an administrator. */
export async function createBenchUsers(deps: Deps): Promise<BenchUsers> {
  const channels = Array.from({ length: ownChannels }, (_, number) => channelNumbered(number))
  const [channelId = ''] = channels
  const { id, token } = await createUser(deps, { channels })
  const { token: adminToken } = await createAdmin(deps)
  const actor = await getActor(deps, id)
  const chats: string[] = []
  for (let chat = 0; chat < ownChats; chat += 1) chats.push((await createChat(deps, actor, channelId))._id)
  const [shortChatId = '', longChatId = ''] = chats
  await fillChat(deps, shortChatId, 10, createMessageText)
  await fillChat(deps, longChatId, 2000, createMessageText)
  return { token, adminToken, channelId, shortChatId, longChatId }
}
