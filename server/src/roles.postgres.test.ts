import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { statusApi } from '@lyceum/contract/status'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildPath } from '#testing/build-path.ts'
import { type ClusterFixture, createClusterFixture } from '#testing/cluster-fixture.ts'
import { createAdmin } from '#testing/factories.ts'
import { buildTestApp } from '#testing/test-app.ts'

let cluster: ClusterFixture
beforeEach(async () => {
  cluster = await createClusterFixture()
})
afterEach(() => cluster.close())

/** The nodes that have claimed jobs. The rows of repeating jobs stay. */
async function listJobOwners(): Promise<(string | null)[]> {
  const rows = await cluster.db
    .selectFrom('jobs')
    .select('owner')
    .distinct()
    .where('owner', 'is not', null)
    .execute()
  return rows.map(({ owner }) => owner)
}

describe('a server with RUN=worker', () => {
  it('serves only its health', async () => {
    const worker = await cluster.start('worker', { RUN: 'worker', SECURITY_CONTACT: 'mailto:a@example.org' })
    async function getStatus(path: string, method = 'GET'): Promise<number> {
      return (await fetch(`${worker.url}${path}`, { method })).status
    }
    for (const { method, path } of [authApi.login, authApi.register, channelsApi.list])
      expect([path, await getStatus(buildPath({ method, path } as never), method)]).toEqual([path, 404])
    for (const path of ['/', '/login', '/api/openapi.json', '/.well-known/security.txt'])
      expect([path, await getStatus(path)]).toEqual([path, 404])
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect([path, await getStatus(path)]).toEqual([path, 200])
    expect(worker.output()).toContain('Lyceum is ready to run jobs.')
    expect(worker.setupToken()).toBe('')
  })

  it('runs the jobs that a server with RUN=web adds and never claims', async () => {
    const web = await cluster.start('web', { RUN: 'web' })
    const { client, channelId } = await cluster.setUp(web)
    const file = { name: 'rules.txt', content: 'Rooms close in the evening.' }
    const uploaded = await client.upload(documentsApi.upload, { channelId, title: 'rules.txt' }, file)
    const { _id: id } = (await uploaded.json()) as Document
    await client.call(documentsApi.approve, { params: { id } })
    expect(await listJobOwners()).toEqual([])

    await cluster.start('worker', { RUN: 'worker' })
    await expect
      .poll(async () => ((await client.call(documentsApi.list, {})) as Document[])[0]?.index?.state)
      .toBe('ready')
    expect(await listJobOwners()).toEqual([(await cluster.findNode('worker')).id])
    const { nodes, jobs } = await client.call(statusApi.get, {})
    expect(nodes).toMatchObject([
      { name: 'web', role: 'web' },
      { name: 'worker', role: 'worker' },
    ])
    expect(jobs.hasWorker).toBe(true)
  })
})

describe('a server that has seen no other one for jobs for a minute', () => {
  it('warns in /readyz and in the status', async () => {
    const app = await buildTestApp({ env: { ...cluster.settings('web'), RUN: 'web' } })
    try {
      async function readReadiness() {
        const { status, body } = await app.raw({ method: 'GET', path: '/readyz' })
        return [status, (body as { parts: Record<string, string> }).parts['workers']]
      }
      const as = await createAdmin(app.deps)
      async function hasWorker() {
        return (await app.call(statusApi.get, { as })).body.jobs.hasWorker
      }
      expect([await readReadiness(), await hasWorker()]).toEqual([[200, 'ok'], true])
      app.deps.cluster.workerSeenAt = performance.now() - 60_000
      expect([await readReadiness(), await hasWorker()]).toEqual([[200, 'failed'], false])
    } finally {
      await app.close()
    }
  })
})
