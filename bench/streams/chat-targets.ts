import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chatsApi } from '@lyceum/contract/chats'
import type { Deps } from '../../server/src/deps.ts'
import { createChat } from '../../server/src/features/chats/chats.ts'
import { approveDocument } from '../../server/src/features/documents/review/review.ts'
import { uploadDocument } from '../../server/src/features/documents/upload/upload.ts'
import { buildPath } from '../../server/src/testing/build-path.ts'
import { createAdmin, createTestChannel, createUser } from '../../server/src/testing/factories.ts'
import { createWorker } from '../../server/src/worker.ts'
import { getActor } from '../actors.ts'

/** A chat in which a user can send a message, and their token. */
export interface ChatTarget {
  path: string
  /** Where the chat with its messages is. */
  chatPath: string
  headers: Record<string, string>
}

const repliesAtOnce = 2

/** Creates sets of empty chats. Each user has two chats per set, the maximum number of simultaneous replies. */
export async function createChatTargets(
  deps: Deps,
  channelId: string,
  chats: number,
  sets: number,
): Promise<ChatTarget[][]> {
  const targets: ChatTarget[][] = Array.from({ length: sets }, () => [])
  for (let user = 0; user < chats / repliesAtOnce; user += 1) {
    const { id, token } = await createUser(deps, { channels: [channelId] })
    const actor = await getActor(deps, id)
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
    for (const set of targets)
      for (let chat = 0; chat < repliesAtOnce; chat += 1) {
        const { _id } = await createChat(deps, actor, channelId)
        const params = { channelId, chatId: _id }
        set.push({
          path: buildPath(chatsApi.send, params),
          chatPath: buildPath(chatsApi.get, params),
          headers,
        })
      }
  }
  return targets
}

const handbook = fileURLToPath(new URL('../../server/src/testing/documents/handbook.pdf', import.meta.url))

/** Creates an open channel that answers from an indexed document. */
export async function createChannelWithDocument(deps: Deps): Promise<string> {
  const channelId = await createTestChannel(deps)
  const admin = await createAdmin(deps)
  const actor = await getActor(deps, admin.id)
  const { _id } = await uploadDocument(deps, actor, {
    file: { path: handbook, name: 'handbook.pdf', size: readFileSync(handbook).length },
    fields: { channelId, title: 'Handbook', description: '' },
    idempotencyKey: null,
  })
  await approveDocument(deps, actor, _id)
  const worker = createWorker(deps)
  await worker.runUntilIdle()
  await worker.stop()
  return channelId
}
