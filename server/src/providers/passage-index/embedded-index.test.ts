import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import type { EmbeddedIndex } from './embedded-index.ts'
import { createEmbeddedIndex } from './embedded-index.ts'
import { IndexWorkerLost } from './index-worker.ts'

const folder = mkdtempSync(join(tmpdir(), 'lyceum-embedded-'))
const opened: EmbeddedIndex[] = []
let files = 0
function createPath(): string {
  return join(folder, `${files++}.db`)
}
async function open(path: string, onRebuilt?: () => void): Promise<EmbeddedIndex> {
  const index = await createEmbeddedIndex({ path, ...(onRebuilt && { onRebuilt }) })
  opened.push(index)
  return index
}
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  for (const index of opened) await index.close()
  rmSync(folder, { recursive: true })
})

function fill(index: EmbeddedIndex, count = 1): Promise<void> {
  return index.add(
    { id: 'g1', documentId: 'd1', channelId: 'c1' },
    Array.from({ length: count }, (_, n) => ({
      id: `p${n}`,
      title: '',
      headingPath: [],
      text: `the anchor ${n}`,
    })),
  )
}
async function countHits(index: EmbeddedIndex): Promise<number> {
  const query = { channelId: 'c1', generations: ['g1'], text: 'anchor', embedding: null, limit: 5 }
  return (await index.search(query)).hits.length
}

describe('the index file', () => {
  it('starts empty, reports that, and persists', async () => {
    const path = createPath()
    const first = await open(path)
    expect(first.wasRebuilt).toBe(true)
    await fill(first)
    await first.close()
    const second = await open(path)
    expect(second.wasRebuilt).toBe(false)
    expect(await countHits(second)).toBe(1)
  })

  it.each([
    ['is not a database', (path: string) => writeFileSync(path, 'not a database at all, '.repeat(500))],
    ['is empty', (path: string) => writeFileSync(path, '')],
    [
      'has another layout',
      (path: string) => {
        const db = new DatabaseSync(path)
        db.exec('PRAGMA user_version = 999')
        db.close()
      },
    ],
  ])('is rebuilt when it %s', async (_, damage) => {
    const path = createPath()
    const before = await open(path)
    await fill(before)
    await before.close()
    damage(path)
    const index = await open(path)
    expect(index.wasRebuilt).toBe(true)
    expect(await countHits(index)).toBe(0)
    await fill(index)
    expect(await countHits(index)).toBe(1)
  })

  it('is recreated when damage is found later, and reports it', async () => {
    const path = createPath()
    const before = await open(path)
    await fill(before, 400)
    await before.close()
    const bytes = readFileSync(path)
    // Damage everything but the first pages, which hold the schema.
    bytes.fill(0xaa, 4096 * 14)
    writeFileSync(path, bytes)
    const rebuilt = vi.fn()
    const index = await open(path, rebuilt)
    for (let tries = 0; tries < 3 && !index.wasRebuilt; tries++) await countHits(index).catch(() => undefined)
    expect(index.wasRebuilt).toBe(true)
    await fill(index)
    expect(await countHits(index)).toBe(1)
  })

  it('is not deleted when it cannot be opened', async () => {
    await expect(createEmbeddedIndex({ path: join(folder, 'missing', 'x.db') })).rejects.toThrow(
      /unable to open/,
    )
  })

  it('deletes dropped passages in the background', async () => {
    const path = createPath()
    const index = await open(path)
    await fill(index, 900)
    await index.drop(['g1'])
    const db = new DatabaseSync(path, { readOnly: true })
    function countPassages(): unknown {
      return db.prepare('SELECT count(*) AS total FROM passages').get()?.['total']
    }
    await vi.waitUntil(() => countPassages() === 0)
    db.close()
  })
})

describe('the worker thread', () => {
  it('restarts after it dies and rejects pending calls', async () => {
    let worker: Worker | undefined
    const postMessage = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (
      this: Worker,
      ...args
    ) {
      worker = this
      postMessage.mockRestore()
      this.postMessage(...args)
    })
    const index = await open(createPath())
    await fill(index, 300)
    await vi.waitUntil(() => worker !== undefined)
    const waiting = [countHits(index), fill(index, 300), countHits(index)].map((call) =>
      call.catch((error: unknown) => error),
    )
    // Wait until the calls have reached the thread.
    await new Promise(setImmediate)
    await worker?.terminate()
    for (const outcome of await Promise.all(waiting)) {
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(IndexWorkerLost)
    }
    expect((await Promise.all(waiting)).some((outcome) => outcome instanceof IndexWorkerLost)).toBe(true)
    expect(await countHits(index)).toBe(5)
  })
})
