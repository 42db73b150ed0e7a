import { apiKeysApi } from '@lyceum/contract/api-keys'
import { connectedProgramsApi } from '@lyceum/contract/connected-programs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { createOauthProgram } from '#testing/oauth-program.ts'
import { buildPublicApp, type PublicApp } from '#testing/public-address.ts'
import type { Actor } from '../../actor.ts'
import { authenticateKey } from '../api-keys/authenticate-key.ts'
import { authenticate } from '../auth/authenticate.ts'
import { createChat } from '../chats/chats.ts'
import { checkReaders } from '../chats/replies/reader-access.ts'
import { authenticateToken } from './authenticate-token.ts'

const client = { ip: '127.0.0.1', userAgent: 'script' }

let server: PublicApp
let channelId: string
let mia: TestUser
beforeAll(async () => {
  server = await buildPublicApp()
})
afterAll(() => server.close())
beforeEach(async () => {
  const { deps } = server.app
  channelId = await createTestChannel(deps)
  mia = await createUser(deps, { channels: [channelId] })
})

/** What the server asks every few seconds of each running reply, together with one of a user's own. */
async function checkReply(actor: Actor | undefined): Promise<boolean | undefined> {
  const { deps } = server.app
  const own = await authenticate(deps, mia.token, client)
  if (!actor || !own) throw new Error('not signed in')
  const chatId = (await createChat(deps, own, channelId))._id
  const [ofProgram, ofUser] = await checkReaders(deps, [
    { actor, chatId },
    { actor: own, chatId },
  ])
  expect(ofUser).toBe(true)
  return ofProgram
}

describe('a long reply', () => {
  it('ends when the API key that asked is revoked, and not before', async () => {
    const body = { name: 'Script', scopes: ['chat' as const], channelIds: null, expiresInDays: 30 as const }
    const created = await server.app.call(apiKeysApi.create, { as: mia, body })
    const access = await authenticateKey(server.app.deps, created.body.key, client)
    expect(await checkReply(access?.actor)).toBe(true)
    const [key] = (await server.app.call(apiKeysApi.list, { as: mia })).body
    await server.app.call(apiKeysApi.revoke, { as: mia, params: { id: key?._id ?? '' } })
    expect(await checkReply(access?.actor)).toBe(false)
  })

  it('ends when the program that asked is disconnected, and not before', async () => {
    const { access_token } = await createOauthProgram(server.app).connect(mia)
    const access = await authenticateToken(server.app.deps, access_token, client)
    expect(await checkReply(access?.actor)).toBe(true)
    const [program] = (await server.app.call(connectedProgramsApi.list, { as: mia })).body
    await server.app.call(connectedProgramsApi.revoke, { as: mia, params: { id: program?._id ?? '' } })
    expect(await checkReply(access?.actor)).toBe(false)
  })
})
