import { join } from 'node:path'
import { channelsApi } from '@lyceum/contract/channels'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ClusterFixture, createClusterFixture } from '#testing/cluster-fixture.ts'
import { createHttpClient } from '#testing/http-client.ts'
import { runCli } from '#testing/run-cli.ts'
import { type SpawnedServer, spawnServer } from '#testing/spawn-server.ts'

let cluster: ClusterFixture
beforeEach(async () => {
  cluster = await createClusterFixture()
})
afterEach(() => cluster.close())

async function expectData(server: SpawnedServer, documentId: string): Promise<void> {
  const client = createHttpClient(server.url, await cluster.signIn(server))
  expect(await client.call(channelsApi.list, {})).toMatchObject([{ name: 'Handbook' }])
  const file = await client.request(documentsApi.download, { params: { id: documentId } })
  expect(await file.text()).toBe('Rooms close in the evening.')
}

// As docs/scaling.md describes it.
it('a single server on SQLite becomes a cluster, and the cluster a single server', async () => {
  const home = join(cluster.settings('single')['DATA_DIR'] ?? '', '..')
  const alone = { DATA_DIR: join(home, 'single') }
  const single = await spawnServer(alone)
  const { client, channelId } = await cluster.setUp(single)
  const file = { name: 'rules.txt', content: 'Rooms close in the evening.' }
  const uploaded = await client.upload(documentsApi.upload, { channelId, title: 'rules.txt' }, file)
  const { _id: id } = (await uploaded.json()) as Document
  expect(await single.stop()).toBe(0)
  const archive = join(home, 'backup.tar.gz')
  expect(await runCli(['backup', archive, '--with-secrets'], alone)).toMatchObject({ code: 0 })

  expect(await runCli(['restore', archive], cluster.settings('web'))).toMatchObject({ code: 0 })
  expect(await runCli(['migrate'], cluster.settings('web'))).toMatchObject({ code: 0 })
  const web = await cluster.start('web', { RUN: 'web' })
  const worker = await cluster.start('worker', { RUN: 'worker' })
  await expectData(web, id)
  await web.stop()
  await worker.stop()

  await expectData(await cluster.start('web', { CLUSTER: 'false' }), id)
})
