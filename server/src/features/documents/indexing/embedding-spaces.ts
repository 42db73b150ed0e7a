import * as z from 'zod'
import type { Tx } from '#db/client.ts'
import { lockSettings, readSetting, writeSetting } from '#db/settings.ts'
import type { Embedder } from '#providers/assistant/port.ts'
import { getEmbeddingConnection } from '../../../connections/effective.ts'
import { readStored, removeStored, storedSpaceConnection, writeStored } from '../../../connections/stored.ts'
import type { Deps } from '../../../deps.ts'

/**
 * Vectors of one embedding model, which are comparable with each other and with no others. Stored embeddings and the
 * index keep them under the space's key.
 */
export interface EmbeddingSpace {
  key: string
  /** Null until the first vector. */
  dimensions: number | null
  embedder: Embedder
}

export interface EmbeddingSpaces {
  /**
   * Its vectors answer questions. After a change of the model, this is the earlier one until all documents have vectors of
   * the new one; `embedder` is then the earlier one too, and null if its connection is not known.
   */
  current: (Omit<EmbeddingSpace, 'embedder'> & { embedder: Embedder | null }) | null
  /** The space of the configured model, while documents get its vectors. */
  next: EmbeddingSpace | null
  /** The configured model differs from the current one. */
  isChanging: boolean
}

const settingKey = 'embeddingSpace'
const storedRecord = z.object({
  key: z.string(),
  fingerprint: z.string(),
  dimensions: z.nullable(z.int()),
  next: z.nullable(z.object({ fingerprint: z.string(), dimensions: z.int() })),
  /** Keys of spaces whose vectors have to be removed. */
  stale: z.array(z.string()),
})
type SpaceRecord = z.output<typeof storedRecord>

async function readRecord(db: Parameters<typeof readSetting>[0]): Promise<SpaceRecord | null> {
  return storedRecord.safeParse(await readSetting(db, settingKey)).data ?? null
}

/** Earlier versions kept vectors under the name of the model. */
function createRecord({ model, fingerprint }: Embedder): SpaceRecord {
  return { key: model, fingerprint, dimensions: null, next: null, stale: [] }
}

function getNextKey({ fingerprint, dimensions }: NonNullable<SpaceRecord['next']>): string {
  return `${fingerprint}-${dimensions}`
}

function withoutNext(record: SpaceRecord): SpaceRecord {
  if (!record.next) return record
  return { ...record, next: null, stale: [...record.stale, getNextKey(record.next)] }
}

function withNext(record: SpaceRecord, next: NonNullable<SpaceRecord['next']>): SpaceRecord {
  const key = getNextKey(next)
  const { stale, ...rest } = withoutNext(record)
  return { ...rest, next, stale: stale.filter((each) => each !== key) }
}

/** Changes the record in a transaction. Returning null leaves it unchanged. */
async function updateRecord(
  deps: Deps,
  change: (record: SpaceRecord | null, tx: Tx) => SpaceRecord | null | Promise<SpaceRecord | null>,
): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    await lockSettings(tx)
    const changed = await change(await readRecord(tx), tx)
    if (changed) await writeSetting(tx, settingKey, changed, deps.now())
    return changed !== null
  })
}

async function openEarlierEmbedder({ db, secrets, connections }: Deps): Promise<Embedder | null> {
  const reading = await readStored(db, secrets, storedSpaceConnection)
  return reading.state === 'stored' ? connections.openEmbedder(reading.value) : null
}

export async function readSpaces(deps: Deps): Promise<EmbeddingSpaces> {
  const { embedder } = deps.assistant
  if (!embedder) return { current: null, next: null, isChanging: false }
  const record = (await readRecord(deps.db)) ?? createRecord(embedder)
  const { key, dimensions, next } = record
  const isSame = record.fingerprint === embedder.fingerprint
  return {
    current: { key, dimensions, embedder: isSame ? embedder : await openEarlierEmbedder(deps) },
    next:
      next?.fingerprint === embedder.fingerprint
        ? { key: getNextKey(next), dimensions: next.dimensions, embedder }
        : null,
    isChanging: !isSame || next?.fingerprint === embedder.fingerprint,
  }
}

/** All spaces whose vectors are of use. */
export function listSpaces({ current, next }: EmbeddingSpaces): { key: string }[] {
  return [current, next].filter((space) => space !== null)
}

/** The space in which new passages need vectors; null while it is not known yet. */
export function getTargetSpace(deps: Deps, { current, next }: EmbeddingSpaces): EmbeddingSpace | null {
  if (next) return next
  const { embedder } = deps.assistant
  return current && embedder && current.embedder === embedder ? { ...current, embedder } : null
}

/** Stores the connection, with which questions are embedded until all documents have vectors of another model. */
async function storeConnection(deps: Deps, tx: Tx): Promise<void> {
  const connection = getEmbeddingConnection(deps.connections.current, deps.env)
  if (connection) await writeStored(tx, deps.secrets, storedSpaceConnection, connection, deps.now())
}

/** Records the configured model, and gives up a change to another one. */
export async function recordEmbedder(deps: Deps): Promise<void> {
  const { embedder } = deps.assistant
  await updateRecord(deps, async (stored, tx) => {
    if (!embedder) {
      // Nothing is sent to a server that was removed from the settings.
      await removeStored(tx, storedSpaceConnection)
      return stored && withoutNext(stored)
    }
    const record = stored ?? createRecord(embedder)
    if (record.fingerprint === embedder.fingerprint) await storeConnection(deps, tx)
    return record.next?.fingerprint === embedder.fingerprint ? record : withoutNext(record)
  })
}

/** Stores how long the vectors of the current model are. Returns false if they are not as long as before. */
export async function checkDimensions(deps: Deps, space: EmbeddingSpace, length: number): Promise<boolean> {
  if (space.dimensions === length) return true
  const { fingerprint } = space.embedder
  let isExpected = true
  await updateRecord(deps, (stored) => {
    const record = stored ?? createRecord(space.embedder)
    if (record.key !== space.key || record.fingerprint !== fingerprint) return null
    if (record.dimensions === null) return { ...record, dimensions: length }
    isExpected = record.dimensions === length
    if (isExpected || (record.next?.fingerprint === fingerprint && record.next.dimensions === length))
      return null
    return withNext(record, { fingerprint, dimensions: length })
  })
  return isExpected
}

/** Begins a change to the configured model, whose vectors have this length. */
export function beginChange(deps: Deps, { fingerprint }: Embedder, dimensions: number): Promise<boolean> {
  return updateRecord(deps, (record) => record && withNext(record, { fingerprint, dimensions }))
}

/** Gives up the vectors of the next space, because the model returns others now. */
export async function restartChange(deps: Deps): Promise<void> {
  await updateRecord(deps, (record) => record && withoutNext(record))
}

/** Lets the next space answer questions. Returns false if the model was changed again meanwhile. */
export function finishChange(deps: Deps, space: EmbeddingSpace): Promise<boolean> {
  return updateRecord(deps, async (record, tx) => {
    if (!record?.next || getNextKey(record.next) !== space.key) return null
    await storeConnection(deps, tx)
    const { fingerprint, dimensions } = record.next
    return { key: space.key, fingerprint, dimensions, next: null, stale: [...record.stale, record.key] }
  })
}

export async function listStaleSpaces({ db }: Pick<Deps, 'db'>): Promise<readonly string[]> {
  return (await readRecord(db))?.stale ?? []
}

export async function forgetStaleSpace(deps: Deps, key: string): Promise<void> {
  await updateRecord(
    deps,
    (record) => record && { ...record, stale: record.stale.filter((each) => each !== key) },
  )
}
