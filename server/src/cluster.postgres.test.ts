import { join } from 'node:path'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { statusApi } from '@lyceum/contract/status'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { listNodes, type NodeRow } from '#cluster/node-store.ts'
import type { Db } from '#db/client.ts'
import { ask, type ClusterChat, listReplies, setUpCluster, type TestCluster } from '#testing/cluster-chats.ts'
import { createHttpClient } from '#testing/http-client.ts'
import type { ModelStandIn } from '#testing/model-stand-in.ts'
import { runCli } from '#testing/run-cli.ts'
import type { SpawnedServer } from '#testing/spawn-server.ts'
import { startTcpProxy } from '#testing/tcp-proxy.ts'
import { mailJobs } from './mail/send-mail.ts'

/** What the model has sent when it pauses; a space at the end is only shown before another word. */
const savedText = 'One two'
let cluster: TestCluster
let db: Db
let model: ModelStandIn
let settings: TestCluster['settings']
let start: TestCluster['start']
setUpCluster((created) => {
  cluster = created
  ;({ db, model, settings, start } = created)
})

async function refuse(name: string, changes: Record<string, string>) {
  const { code, stderr } = await runCli(['start'], { ...settings(name, changes), PORT: '0' })
  return { code, stderr }
}

/** Starts a node whose clock differs. */
function startSkewed(name: string, skew: number): Promise<SpawnedServer> {
  const script = `const { now } = Date; Date.now = () => now() + ${skew}`
  return start(name, { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` })
}

async function listNames(): Promise<string[]> {
  return (await listNodes(db)).map(({ name }) => name)
}

async function findNode(name: string): Promise<NodeRow> {
  const node = (await listNodes(db)).find((row) => row.name === name)
  if (!node) throw new Error(`there is no node ${name}`)
  return node
}

/** Starts a reply on the server that stops after some text, and waits until that text is saved. */
async function startSavedReply(server: SpawnedServer, chat: ClusterChat): Promise<void> {
  model.script({ text: ['One ', 'two ', 'three.'] })
  model.pause(2)
  const stream = await ask(server, chat)
  await stream.readUntil('delta')
  await expect.poll(async () => (await cluster.findReply()).content).toBe(savedText)
  await stream.disconnect()
}

async function expectInterrupted(server: SpawnedServer, chat: ClusterChat): Promise<void> {
  // The lease of the reply itself would last for a minute.
  await expect.poll(async () => (await cluster.findReply()).state).toBe('interrupted')
  expect(await listReplies(server, chat)).toMatchObject([{ state: 'interrupted', content: savedText }])
}

async function expectUsable(server: SpawnedServer, chat: ClusterChat): Promise<void> {
  model.reset()
  expect((await (await ask(server, chat)).readToEnd()).at(-1)?.type).toBe('done')
}

describe('servers of a cluster', () => {
  it('share a database, sessions, files and the first setup link, and keep others out', async () => {
    const [first, second] = [await start('node-a'), await start('node-b')]
    expect(second.output()).toContain('with the link that the server node-a has printed')
    const chat = await cluster.createChat(first)
    const client = createHttpClient(second.url, chat.token)
    expect((await client.call(statusApi.get, {})).nodes).toMatchObject([
      { name: 'node-a', role: 'all' },
      { name: 'node-b', role: 'all' },
    ])
    const uploaded = await createHttpClient(first.url, chat.token).upload(
      documentsApi.upload,
      { channelId: chat.params.channelId, title: 'rules.txt' },
      { name: 'rules.txt', content: 'Rooms close in the evening.' },
    )
    const { _id: id } = (await uploaded.json()) as Document
    const file = await client.request(documentsApi.download, { params: { id } })
    expect(await file.text()).toBe('Rooms close in the evening.')
    expect(await refuse('single', { CLUSTER: 'false' })).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^Another Lyceum server is already using this database\./),
    })
    expect(await refuse('node-c', { SECRETS_FILE: join(cluster.home, 'others.json') })).toEqual({
      code: 4,
      stderr: expect.stringMatching(/^SECRETS_FILE does not contain the keys of the other servers/),
    })
    expect(await listNames()).toEqual(['node-a', 'node-b'])
    expect(await first.stop()).toBe(0)
    await expect.poll(listNames).toEqual(['node-b'])
  })

  it('are refused while a single server uses the database and before an upgrade, and give way to one', async () => {
    const single = await start('single', { CLUSTER: 'false' })
    expect((await refuse('node-a', {})).code).toBe(3)
    await single.stop()
    await sql`drop table rate_counters`.execute(db)
    await sql`delete from kysely_migration where name = '0026-rate-counters'`.execute(db)
    expect(await refuse('node-a', {})).toEqual({
      code: 13,
      stderr: expect.stringContaining('npx lyceum migrate'),
    })
    expect((await runCli(['migrate'], settings('node-a'))).code).toBe(0)
    const node = await start('node-a')
    await node.kill()
    await start('single', { CLUSTER: 'false' })
    expect(await listNames()).toEqual([])
  })
})

describe('npx lyceum migrate beside running servers', () => {
  it('reports in one sentence that it failed, and that it has nothing to contract', async () => {
    const node = await start('node-a')
    await sql`delete from kysely_migration where name = '0028-expand-node-steps'`.execute(db)
    expect(await runCli(['migrate', '--contract'], settings('cli'))).toMatchObject({
      code: 1,
      stderr: 'Run npx lyceum migrate first, and replace the servers of the earlier version.\n',
    })
    expect(await runCli(['migrate'], settings('cli'))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The upgrade of the database was not completed, because migration 0028-expand-node-steps failed \(.*already exists\)\. Servers that are running can go on\. .*\n$/,
      ),
    })
    await sql`alter table nodes drop column newest_step`.execute(db)
    expect((await runCli(['migrate'], settings('cli'))).stdout).toBe(
      'The database was upgraded: 0028-expand-node-steps.\n',
    )
    expect((await runCli(['migrate', '--contract'], settings('cli'))).stdout).toBe(
      'The database is up to date.\n',
    )
    expect((await fetch(`${node.url}/readyz`)).status).toBe(200)
  })
})

describe('a server of a cluster that', () => {
  it('is killed loses its replies and jobs to another one, with the text that was saved', async () => {
    const [first, second] = [await start('node-a'), await start('node-b')]
    const chat = await cluster.createChat(first)
    await startSavedReply(first, chat)
    const dead = await findNode('node-a')
    await first.kill()
    await db
      .insertInto('jobs')
      .values({
        id: 'job',
        name: mailJobs[0]?.name ?? '',
        payload: JSON.stringify({ messageId: 'm', sealed: '', expiresAt: 1 }),
        state: 'running',
        attempts: 1,
        run_at: 1,
        created_at: 1,
        owner: dead.id,
        fence: 'any',
        lease_until: Date.UTC(2100, 0),
      })
      .execute()
    await expectInterrupted(second, chat)
    // An email that has expired is given up.
    await expect
      .poll(() => db.selectFrom('jobs').select('state').where('id', '=', 'job').executeTakeFirst())
      .toEqual({ state: 'failed' })
    await expectUsable(second, chat)
    await expect.poll(listNames).toEqual(['node-b'])
  })

  it('was suspended writes nothing more, ends with code 14 and can start again', async () => {
    const [first, second] = [await start('node-a'), await start('node-b')]
    const chat = await cluster.createChat(first)
    await startSavedReply(first, chat)
    process.kill(first.pid, 'SIGSTOP')
    await expectInterrupted(second, chat)
    await expect.poll(listNames).toEqual(['node-b'])
    const before = await cluster.findReply()
    model.resume()
    process.kill(first.pid, 'SIGCONT')
    expect(await first.exitCode).toBe(14)
    expect(first.output()).toMatch(/This server (was declared dead|could not renew its lease)/)
    expect(await cluster.findReply()).toEqual(before)
    await expectUsable(second, chat)
    const dead = await start('node-a')
    expect(await listNames()).toEqual(['node-a', 'node-b'])
    await expectUsable(dead, chat)
  })

  it('cannot reach the database ends itself, and another one takes over', async () => {
    const proxy = await startTcpProxy(cluster.databaseUrl)
    const first = await start('node-a', { DATABASE_URL: proxy.throughProxy(cluster.databaseUrl) })
    const second = await start('node-b')
    const chat = await cluster.createChat(first)
    await startSavedReply(first, chat)
    proxy.freeze()
    expect(await first.exitCode).toBe(14)
    await expectInterrupted(second, chat)
    await expectUsable(second, chat)
    await proxy.close()
  })

  it('has a wrong clock keeps its lease and its replies, and leaves those of others alone', async () => {
    const [ahead, behind] = [await startSkewed('ahead', 300_000), await startSkewed('behind', -300_000)]
    const chat = await cluster.createChat(ahead)
    await startSavedReply(ahead, chat)
    const { started_at: startedAt, id } = await findNode('behind')
    // Longer than a lease.
    await expect.poll(async () => (await findNode('behind')).seen_at - startedAt).toBeGreaterThan(8000)
    expect((await findNode('behind')).id).toBe(id)
    expect(await listNames()).toEqual(['ahead', 'behind'])
    expect(await listReplies(behind, chat)).toMatchObject([{ state: 'streaming' }])
    model.resume()
    await expect.poll(async () => (await cluster.findReply()).state).toBe('complete')
    expect(await listReplies(behind, chat)).toMatchObject([{ state: 'complete', content: 'One two three.' }])
  })
})
