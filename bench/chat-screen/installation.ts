import { fileURLToPath } from 'node:url'
import { authApi, type LoginResult } from '@lyceum/contract/auth'
import { chatsApi } from '@lyceum/contract/chats'
import type { Deps } from '../../server/src/deps.ts'
import { createChat } from '../../server/src/features/chats/chats.ts'
import { buildPath } from '../../server/src/testing/build-path.ts'
import { createAdmin, createTestChannel, testPassword } from '../../server/src/testing/factories.ts'
import { createHttpClient } from '../../server/src/testing/http-client.ts'
import { getActor } from '../actors.ts'
import { fillChat } from '../fill-chat.ts'
import { type Process, startProcess, startServerOn } from '../server-process.ts'
import { withDeps } from '../with-deps.ts'
import { createMessageText } from './reply-text.ts'

/** The user whose screen is measured, and the chats that are opened on it. */
export interface Fixture {
  email: string
  channelId: string
  emptyChats: string[]
  shortChat: string
  longChat: string
}

const emptyChatCount = 8
export const shortLength = 10
export const longLength = 2000

async function insertFixture(deps: Deps): Promise<Fixture> {
  const channelId = await createTestChannel(deps, { name: 'Workshop' })
  const { id, email } = await createAdmin(deps, { isSystemAdmin: true, channels: [channelId] })
  const actor = await getActor(deps, id)
  const chats: string[] = []
  for (let at = 0; at < emptyChatCount + 2; at += 1)
    chats.push((await createChat(deps, actor, channelId))._id)
  const [shortChat = '', longChat = '', ...emptyChats] = chats
  await fillChat(deps, shortChat, shortLength, createMessageText)
  await fillChat(deps, longChat, longLength, createMessageText)
  return { email, channelId, emptyChats, shortChat, longChat }
}

/** Writes users, a channel and its chats into an empty folder. */
export function createFixture(folder: string): Promise<Fixture> {
  return withDeps(folder, insertFixture)
}

/** A session as the browser stores it. */
export interface Session {
  token: string
  user: LoginResult['user']
}

interface Pace {
  tokens: number
  delayMs: number
}

/** Runs a task with a server whose model has the given reply length and speed. */
export async function withServer<R>(
  folder: string,
  { tokens, delayMs }: Pace,
  work: (server: Process) => Promise<R>,
): Promise<R> {
  const model = await startProcess({
    script: fileURLToPath(new URL('model.ts', import.meta.url)),
    env: { TOKENS: String(tokens), DELAY_MS: String(delayMs) },
    readyPath: '/v1/models',
  })
  try {
    const server = await startServerOn(folder, {
      OPENAI_BASE_URL: `${model.url}/v1`,
      EMBEDDING_MODEL: 'none',
    })
    try {
      return await work(server)
    } finally {
      await server.stop()
    }
  } finally {
    await model.stop()
  }
}

export async function signInTo({ url }: Process, { email }: Fixture): Promise<Session> {
  const { token = '', user } = await createHttpClient(url, '').call(authApi.login, {
    body: { email, password: testPassword },
  })
  return { token, user }
}

export function getSendPath({ channelId }: Fixture, chatId: string): string {
  return buildPath(chatsApi.send, { channelId, chatId })
}
