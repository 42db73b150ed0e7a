import { mailEncryption } from '@lyceum/contract/connections'
import { sql } from 'kysely'
import * as z from 'zod'
import type { Executor, Tx } from '#db/client.ts'
import { connectionsChannel } from '#db/database-lock.ts'
import { notifying } from '#db/dialect.ts'
import { deleteSetting, lockSettings, readSetting, writeSetting } from '#db/settings.ts'
import type { Secrets } from '#keys/secrets.ts'

const model = z.object({
  baseUrl: z.string(),
  apiKey: z.string(),
  embeddingModel: z.string(),
})
export type StoredModel = z.output<typeof model>

/** A server that only embeds. */
const embeddings = z.object({
  baseUrl: z.string(),
  apiKey: z.string(),
  model: z.string(),
  queryPrefix: z.string(),
  passagePrefix: z.string(),
})
export type StoredEmbeddings = z.output<typeof embeddings>

const reranking = z.object({ url: z.string(), apiKey: z.string(), model: z.string() })
export type StoredReranking = z.output<typeof reranking>

const mail = z.object({
  host: z.string(),
  port: z.int(),
  encryption: mailEncryption,
  username: z.string(),
  password: z.string(),
  from: z.string(),
})
export type StoredMail = z.output<typeof mail>

export interface StoredConnection<V> {
  /** The key in the table of settings. */
  key: string
  schema: z.ZodType<V>
}

export const storedModel: StoredConnection<StoredModel> = { key: 'modelConnection', schema: model }
export const storedEmbeddings: StoredConnection<StoredEmbeddings> = {
  key: 'embeddingsConnection',
  schema: embeddings,
}
export const storedReranking: StoredConnection<StoredReranking> = {
  key: 'rerankingConnection',
  schema: reranking,
}
/** What embedded the documents, as long as they have its vectors. */
export const storedSpaceConnection: StoredConnection<StoredEmbeddings> = {
  key: 'embeddingSpaceConnection',
  schema: embeddings,
}
export const storedMail: StoredConnection<StoredMail> = { key: 'mailConnection', schema: mail }

const row = z.object({ sealed: z.string() })

export type StoredReading<V> = { state: 'none' } | { state: 'unreadable' } | { state: 'stored'; value: V }

function parseSealed<V>(secrets: Secrets, schema: z.ZodType<V>, setting: unknown): StoredReading<V> {
  try {
    const value = schema.parse(JSON.parse(secrets.unseal(row.parse(setting).sealed)))
    return { state: 'stored', value }
  } catch {
    return { state: 'unreadable' }
  }
}

/** Null if the stored JSON is damaged. */
async function readRow(db: Executor, key: string): Promise<unknown> {
  try {
    return await readSetting(db, key)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/**
 * A row that cannot be decrypted or parsed must not keep the server from starting, for example after a restore without
 * the keys of the backup.
 */
export async function readStored<V>(
  db: Executor,
  secrets: Secrets,
  { key, schema }: StoredConnection<V>,
): Promise<StoredReading<V>> {
  const setting = await readRow(db, key)
  return setting === undefined ? { state: 'none' } : parseSealed(secrets, schema, setting)
}

/**
 * Encrypts all values together, so that write access to the database, without the keys, cannot send a stored secret to
 * another server.
 */
export async function writeStored<V>(
  tx: Tx,
  secrets: Secrets,
  { key }: StoredConnection<V>,
  value: V,
  now: number,
): Promise<void> {
  await writeSetting(tx, key, { sealed: secrets.seal(JSON.stringify(value)) }, now)
}

/** False if there was nothing to remove. */
export function removeStored<V>(tx: Tx, { key }: StoredConnection<V>): Promise<boolean> {
  return deleteSetting(tx, key)
}

/** Tells the other servers of a cluster to read the connections again, once the transaction has been committed. */
export async function announceConnections(tx: Tx): Promise<void> {
  await sql`select ${notifying(tx, connectionsChannel, sql`''`)}`.execute(tx)
}

/** Re-encrypts the stored connections with the current key. Leaves unreadable ones alone. Returns how many it changed. */
export async function resealConnections(tx: Tx, secrets: Secrets, now: number): Promise<number> {
  async function reseal<V>(connection: StoredConnection<V>): Promise<number> {
    const reading = await readStored(tx, secrets, connection)
    if (reading.state !== 'stored') return 0
    await writeStored(tx, secrets, connection, reading.value, now)
    return 1
  }
  await lockSettings(tx)
  const counts = [
    await reseal(storedModel),
    await reseal(storedEmbeddings),
    await reseal(storedReranking),
    await reseal(storedSpaceConnection),
    await reseal(storedMail),
  ]
  return counts.reduce((sum, count) => sum + count, 0)
}
