import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '#db/client.ts'
import { type DatabaseLock, lockDatabase } from '#db/database-lock.ts'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { startTcpProxy, type TcpProxy } from '#testing/tcp-proxy.ts'
import { startTestRedis } from '#testing/test-redis.ts'
import { type ClusterLinks, openClusterLinks } from './links.ts'
import { insertNode } from './node-store.ts'

interface Carrier {
  /** What the pushes of the first server go through. */
  proxy: TcpProxy
  open(node: string, useProxy: boolean): Promise<ClusterLinks>
  close(): Promise<void>
}

interface Place {
  db: Db
  postgres: string
}

const common = { now: Date.now, log: pino({ level: 'silent' }) }

async function carryByPostgres({ db, postgres }: Place): Promise<Carrier> {
  const proxy = await startTcpProxy(postgres)
  return {
    proxy,
    open: (node, useProxy) =>
      openClusterLinks({
        ...common,
        node,
        db,
        url: useProxy ? proxy.throughProxy(postgres) : postgres,
        redis: null,
      }),
    close: proxy.close,
  }
}

async function carryByRedis({ db, postgres }: Place): Promise<Carrier> {
  const redis = await startTestRedis()
  const proxy = await startTcpProxy(redis.url)
  return {
    proxy,
    open: (node, useProxy) =>
      openClusterLinks({
        ...common,
        node,
        db,
        url: postgres,
        redis: { url: useProxy ? proxy.throughProxy(redis.url) : redis.url, prefix: 'test' },
      }),
    async close() {
      await proxy.close()
      await redis.close()
    },
  }
}

function frames(messageId: string, ...contents: string[]) {
  return contents.map((content) => ({ messageId, content }))
}

function isWorking(links: ClusterLinks): Promise<boolean> {
  return links.check().then(
    () => true,
    () => false,
  )
}

describe.each([
  ['PostgreSQL', carryByPostgres],
  ['Redis', carryByRedis],
])('the links of a cluster through %s', (_name, carry) => {
  let records: MigratedDatabase
  let carrier: Carrier
  let lock: DatabaseLock
  let first: ClusterLinks
  let second: ClusterLinks
  beforeEach(async () => {
    records = await openMigratedDatabase()
    if (!('postgres' in records.location)) throw new Error('This test needs PostgreSQL.')
    const { postgres } = records.location
    carrier = await carry({ db: records.db, postgres })
    first = await carrier.open('first', true)
    second = await carrier.open('second', false)
    for (const id of ['first', 'second'])
      await insertNode(records.db, { id, name: id, role: 'all', version: '1.2.3', newest_step: null }, 0)
    lock = await lockDatabase(postgres, { isShared: true })
    lock.onNotification({
      notified(text) {
        for (const links of [first, second]) links.receive(text)
      },
      missed: () => undefined,
    })
    await expect.poll(() => isWorking(first)).toBe(true)
    await expect.poll(() => isWorking(second)).toBe(true)
  })
  afterEach(async () => {
    await first.close()
    await second.close()
    await lock.release()
    await carrier.close()
    await records.close()
  })

  function collect(node: string, messageId: string) {
    const seen: string[] = []
    const stop = second.eventLog.follow(node, messageId, (contents) => void seen.push(...contents))
    return { seen, stop }
  }

  describe('the shared event log', () => {
    it('returns nothing for servers and replies that it does not know', async () => {
      await first.eventLog.push(frames('a', 'one'))
      expect(await second.eventLog.read('third', ['a'])).toEqual([])
      expect(await second.eventLog.read('second', ['a'])).toEqual([])
      expect(await second.eventLog.read('first', ['b'])).toEqual([])
    })

    it('returns what was pushed for some replies, oldest first', async () => {
      const text = 'quoted "text" {with} \\ and, 🙂 \\u0000'
      await first.eventLog.push([...frames('a', 'one', ''), ...frames('b', 'other'), ...frames('a', text)])
      await first.eventLog.push([...frames('c', 'four'), ...frames('a', 'three')])
      await second.eventLog.push(frames('a', 'of another server'))
      expect(await second.eventLog.read('first', ['a'])).toEqual(frames('a', 'one', '', text, 'three'))
      expect(await second.eventLog.read('first', ['c', 'b'])).toEqual([
        ...frames('b', 'other'),
        ...frames('c', 'four'),
      ])
    })

    it('returns everything of a reply with many batches', async () => {
      const expected = Array.from({ length: 230 }, (_, at) => String(at))
      for (const content of expected) await first.eventLog.push(frames('a', content))
      expect(await second.eventLog.read('first', ['a'])).toEqual(frames('a', ...expected))
      const reader = collect('first', 'a')
      await expect.poll(() => reader.seen).toEqual(expected)
    })

    it('passes a reply on to all who follow it, from its beginning and in order', async () => {
      const expected = Array.from({ length: 40 }, (_, at) => String(at))
      await first.eventLog.push(frames('a', '0'))
      const early = collect('first', 'a')
      for (const content of expected.slice(1, 20))
        await first.eventLog.push([...frames('b', 'no'), ...frames('a', content)])
      const late = collect('first', 'a')
      const other = collect('first', 'b')
      for (const content of expected.slice(20)) await first.eventLog.push(frames('a', content))
      await expect.poll(() => early.seen).toEqual(expected)
      await expect.poll(() => late.seen).toEqual(expected)
      await expect.poll(() => other.seen).toEqual(Array.from({ length: 19 }, () => 'no'))
      early.stop()
      await first.eventLog.push(frames('a', 'end'))
      await expect.poll(() => late.seen.at(-1)).toBe('end')
      expect(early.seen).toEqual(expected)
    })

    it('passes on what several servers write', async () => {
      const readers = [collect('first', 'a'), collect('second', 'b')]
      await first.eventLog.push(frames('a', 'one'))
      await second.eventLog.push(frames('b', 'two'))
      await expect.poll(() => readers.map(({ seen }) => seen)).toEqual([['one'], ['two']])
      for (const { stop } of readers) stop()
      const again = collect('first', 'a')
      await expect.poll(() => again.seen).toEqual(['one'])
    })

    it('forgets a server that has ended', async () => {
      await first.eventLog.push(frames('a', 'one'))
      await second.eventLog.push(frames('b', 'two'))
      await second.eventLog.forget('first')
      expect(await second.eventLog.read('first', ['a'])).toEqual([])
      expect(await second.eventLog.read('second', ['b'])).toEqual(frames('b', 'two'))
    })

    it('fails while it cannot be reached, and goes on afterwards without what was lost', async () => {
      const { proxy } = carrier
      const reader = collect('first', 'a')
      await first.eventLog.push(frames('a', 'one'))
      expect(first.eventLog.isFailing).toBe(false)
      await proxy.refuse()
      proxy.cutAll()
      await expect(first.eventLog.push(frames('a', 'two'))).rejects.toThrow()
      expect(first.eventLog.isFailing).toBe(true)
      expect(await isWorking(first)).toBe(false)
      expect(await isWorking(second)).toBe(true)
      await proxy.accept()
      await expect
        .poll(() =>
          first.eventLog.push(frames('a', 'three')).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true)
      await expect.poll(() => reader.seen).toEqual(['one', 'three'])
      await expect.poll(() => first.eventLog.isFailing).toBe(false)
      expect(await isWorking(first)).toBe(true)
    })
  })

  describe('the wake channel', () => {
    it('reaches the server that is meant, and no other', async () => {
      const received: string[] = []
      first.wake.onMessage((kind, messageId) => void received.push(`first ${kind} ${messageId}`))
      second.wake.onMessage((kind, messageId) => void received.push(`second ${kind} ${messageId}`))
      await first.wake.send('third', 'stop', 'a')
      await first.wake.send('second', 'stop', 'b')
      await first.wake.send('second', 'save', 'c')
      await second.wake.send('first', 'save', 'd')
      await expect.poll(() => received.toSorted()).toEqual(['first save d', 'second save c', 'second stop b'])
    })

    it('reaches a server whose other connection is lost', async () => {
      const received: string[] = []
      first.wake.onMessage((kind, messageId) => void received.push(`${kind} ${messageId}`))
      await carrier.proxy.refuse()
      carrier.proxy.cutAll()
      await expect
        .poll(async () => {
          await second.wake.send('first', 'stop', 'a')
          return received[0]
        })
        .toBe('stop a')
      await carrier.proxy.accept()
    })
  })

  describe('the counters', () => {
    it('add up what all servers count, for each key', async () => {
      const counted = { key: 'history|60000|ada', count: 3, remaining: 60_000 }
      const other = { ...counted, key: 'history|60000|bob', count: 1 }
      expect(await first.counters.add([counted])).toMatchObject([{ key: counted.key, count: 3 }])
      const [ada, bob] = await second.counters.add([{ ...counted, count: 4, remaining: 30_000 }, other])
      expect(ada).toMatchObject({ key: counted.key, count: 7 })
      expect(bob).toMatchObject({ key: other.key, count: 1 })
      // The window began with the first count.
      expect(ada?.remaining).toBeGreaterThan(30_000)
      expect(ada?.remaining).toBeLessThanOrEqual(60_000)
    })

    it('begin again in a new window', async () => {
      const counted = { key: 'history|60000|ada', count: 5, remaining: 200 }
      await first.counters.add([counted])
      await expect
        .poll(
          async () => (await second.counters.add([{ ...counted, count: 1, remaining: 60_000 }]))[0]?.count,
        )
        .toBe(1)
      expect(await first.counters.add([counted])).toMatchObject([{ count: 6 }])
      await first.counters.removeEnded()
      expect(await first.counters.add([counted])).toMatchObject([{ count: 11 }])
    })
  })
})
