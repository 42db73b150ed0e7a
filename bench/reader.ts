import { randomUUID } from 'node:crypto'
import type { Deps } from '../server/src/deps.ts'
import { createChat } from '../server/src/features/chats/chats.ts'
import { createAdmin, createPerson } from '../server/src/testing/factories.ts'
import { actorFor } from './actors.ts'
import { channelId as channelNumbered } from './large-records.ts'

const ownChannels = 10
const ownChats = 100
const perStep = 200

/** Whose calls are timed, and where. */
export interface Reader {
  token: string
  adminToken: string
  channelId: string
  shortChatId: string
  longChatId: string
}

const fillChat = async ({ db, now }: Deps, chatId: string, messages: number): Promise<void> => {
  let parentId: string | null = null
  const rows = Array.from({ length: messages }, (_, at) => {
    const id = randomUUID()
    const isReply = at % 2 === 1
    const row = {
      id,
      chat_id: chatId,
      parent_id: parentId,
      role: isReply ? ('assistant' as const) : ('user' as const),
      content: `Message ${at} says what there is to say about the matter, and why. `.repeat(4),
      state: isReply ? ('complete' as const) : null,
      mode: isReply ? ('model' as const) : null,
      citations: null,
      requested_model: null,
      actual_model: null,
      error: null,
      last_event: 0,
      lease_owner: null,
      lease_until: null,
      idempotency_key: null,
      created_at: now(),
    }
    parentId = id
    return row
  })
  for (let from = 0; from < messages; from += perStep)
    await db
      .insertInto('messages')
      .values(rows.slice(from, from + perStep))
      .execute()
  await db
    .updateTable('chats')
    .set({ active_leaf_id: parentId, message_count: messages })
    .where('id', '=', chatId)
    .execute()
}

/** A member with many chats in one channel, one of them very long, and an administrator. */
export const makeReader = async (deps: Deps): Promise<Reader> => {
  const channels = Array.from({ length: ownChannels }, (_, number) => channelNumbered(number))
  const [channelId = ''] = channels
  const { id, token } = await createPerson(deps, { channels })
  const { token: adminToken } = await createAdmin(deps)
  const actor = await actorFor(deps, id)
  const chats: string[] = []
  for (let chat = 0; chat < ownChats; chat += 1) chats.push((await createChat(deps, actor, channelId))._id)
  const [shortChatId = '', longChatId = ''] = chats
  await fillChat(deps, shortChatId, 10)
  await fillChat(deps, longChatId, 2000)
  return { token, adminToken, channelId, shortChatId, longChatId }
}
