import { type EmbeddingInput, embeddingApi } from '@lyceum/contract/embedding'
import type { TestUser } from './factories.ts'
import type { TestApp } from './test-app.ts'

export const testSite = 'https://www.example.com'

/** Lets visitors of a site chat in the channel. */
export async function allowVisitors(
  app: TestApp,
  { as, channelId, ...changes }: { as: TestUser; channelId: string } & Partial<EmbeddingInput>,
): Promise<void> {
  const body = {
    sites: [testSite],
    allowsVisitors: true,
    visitorMessagesPerDay: 20,
    channelVisitorMessagesPerDay: 1000,
    ...changes,
  }
  const { status } = await app.call(embeddingApi.set, { as, params: { id: channelId }, body })
  if (status !== 200) throw new Error(`setting how the channel is embedded failed: ${status}`)
}

/** A new visitor of a channel that allows visitors. */
export async function createVisitor(app: TestApp, channelId: string): Promise<TestUser> {
  const { status, body } = await app.call(embeddingApi.visit, {
    params: { channelId },
    body: { site: testSite },
  })
  if (status !== 200) throw new Error(`the visit failed: ${status}`)
  return { id: body.user._id, email: '', name: body.user.name, token: body.token }
}
