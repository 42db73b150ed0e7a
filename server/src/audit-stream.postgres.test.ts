import { auditStreamApi } from '@lyceum/contract/audit-stream'
import { channelsApi } from '@lyceum/contract/channels'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ClusterFixture, createClusterFixture } from '#testing/cluster-fixture.ts'
import type { HttpClient } from '#testing/http-client.ts'
import { startTestCollector, type TestCollector } from '#testing/test-collector.ts'

let cluster: ClusterFixture
let collector: TestCollector
beforeEach(async () => {
  cluster = await createClusterFixture()
  collector = await startTestCollector()
})
afterEach(async () => {
  await cluster.close()
  await collector.close()
})

async function listSeqs(): Promise<number[]> {
  const rows = await cluster.db.selectFrom('audit_log').select('seq').orderBy('seq').execute()
  return rows.map(({ seq }) => seq)
}

async function addReceiver(client: HttpClient): Promise<void> {
  const connection = { kind: 'http', url: collector.url, format: 'json', caCertificate: '' } as const
  const receiver = { name: 'Collector', headerName: '', headerValue: '', ...connection }
  await client.call(auditStreamApi.add, { body: { receiver, startsAt: 'beginning' } })
}

async function changeSomething(client: HttpClient, times: number): Promise<void> {
  for (let left = times; left > 0; left -= 1)
    await client.call(channelsApi.create, {
      body: { name: `Channel ${left} of ${times}`, description: 'Rules', llmModel: 'gpt-4o' },
    })
}

it('is sent by one of two servers at a time', async () => {
  const first = await cluster.start('first')
  await cluster.start('second')
  const { client } = await cluster.setUp(first)
  await addReceiver(client)
  for (const times of [3, 5, 7, 9]) {
    await changeSomething(client, times)
    await expect.poll(() => collector.listSeqs()).toEqual(await listSeqs())
  }
})

it('is continued by the other server when the one that sends is killed', async () => {
  const first = await cluster.start('first', { FAULT_POINT: 'audit.sent' })
  const { client } = await cluster.setUp(first)
  await addReceiver(client)
  await first.whenEnded
  const before = collector.listSeqs()
  expect(before.length).toBeGreaterThan(0)
  await cluster.start('second')
  await expect
    .poll(() => collector.listSeqs(), { timeout: 90_000 })
    .toEqual([...before, ...(await listSeqs())])
})
