import { type EmbeddingInput, embeddingApi } from '@lyceum/contract/embedding'
import { createAdmin, type TestUser } from './factories.ts'
import type { TestApp } from './test-app.ts'

/** A site on which tests embed channels. */
export const testSite = 'https://www.example.com'

export const testEmbedding: EmbeddingInput = {
  sites: [testSite],
  allowsVisitors: false,
  visitorMessagesPerDay: 20,
  channelVisitorMessagesPerDay: 1000,
}

/** Saves settings as an administrator; on one site without visitors unless `changes` say otherwise. */
export async function embedChannel(
  app: TestApp,
  channelId: string,
  changes: Partial<EmbeddingInput> = {},
): Promise<void> {
  const { status } = await app.call(embeddingApi.set, {
    as: await createAdmin(app.deps),
    params: { id: channelId },
    body: { ...testEmbedding, ...changes },
  })
  if (status !== 200) throw new Error(`the channel was not embedded: ${status}`)
}

/** The same user with the token of a sign-in on the site. */
export async function signInOnSite(
  app: TestApp,
  user: TestUser,
  channelId: string,
  site = testSite,
): Promise<TestUser> {
  const { status, body } = await app.call(embeddingApi.signIn, {
    as: user,
    params: { channelId },
    body: { site },
  })
  if (status !== 200) throw new Error(`the user was not signed in on the site: ${status}`)
  return { ...user, token: body.token }
}

/** A new visitor of a channel that allows visitors, signed in on the site. */
export async function createVisitor(app: TestApp, channelId: string): Promise<TestUser> {
  const { status, body } = await app.call(embeddingApi.visit, {
    params: { channelId },
    body: { site: testSite },
  })
  if (status !== 200) throw new Error(`the visit failed: ${status}`)
  return { id: body.user._id, email: '', name: body.user.name, token: body.token }
}
