import type { Insertable } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Executor } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

function toBytes(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
}

// Copy the bytes: a buffer from the database may not be aligned to 4 bytes, as Float32Array requires.
function toVector(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer)
}

/** Small, so that other transactions do not wait long. */
const deletedPerBatch = 200

export async function findEmbeddings(
  db: Executor,
  spaceKey: string,
  hashes: readonly string[],
): Promise<Map<string, Float32Array>> {
  if (hashes.length === 0) return new Map()
  const rows = await db
    .selectFrom('embeddings')
    .select(['text_hash', 'vector'])
    .where('model', '=', spaceKey)
    .where('text_hash', 'in', hashes)
    .execute()
  return new Map(rows.map(({ text_hash, vector }) => [text_hash, toVector(vector)]))
}

export async function insertEmbeddings(
  db: Executor,
  spaceKey: string,
  vectors: ReadonlyMap<string, Float32Array>,
  now: number,
): Promise<void> {
  const rows = [...vectors].map(([text_hash, vector]) => ({
    model: spaceKey,
    text_hash,
    vector: toBytes(vector),
    created_at: now,
  }))
  await db
    .insertInto('embeddings')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['model', 'text_hash']).doNothing())
    .execute()
}

/** Deletes a batch of a space's vectors. Returns false when none are left. */
export async function deleteEmbeddings(db: Executor, spaceKey: string): Promise<boolean> {
  const rows = await db
    .selectFrom('embeddings')
    .select('text_hash')
    .where('model', '=', spaceKey)
    .limit(deletedPerBatch)
    .execute()
  const hashes = rows.map(({ text_hash }) => text_hash)
  if (hashes.length === 0) return false
  await db.deleteFrom('embeddings').where('model', '=', spaceKey).where('text_hash', 'in', hashes).execute()
  return true
}

export interface EmbeddingUsage {
  model: string
  inputTokens: number
  channelId: string
  userId: string | null
  messageId: string | null
  now: number
}

function createUsageRow(usage: EmbeddingUsage): Insertable<Database['llm_usage']> {
  return {
    id: uuidv7(),
    message_id: usage.messageId,
    user_id: usage.userId,
    channel_id: usage.channelId,
    purpose: 'embed',
    requested_model: usage.model,
    actual_model: usage.model,
    input: usage.inputTokens,
    cached: 0,
    cache_write: 0,
    output: 0,
    reasoning: 0,
    cost: null,
    estimated: 0,
    created_at: usage.now,
  }
}

export async function insertEmbeddingUsage(db: Executor, usage: EmbeddingUsage): Promise<void> {
  await db.insertInto('llm_usage').values(createUsageRow(usage)).execute()
}
