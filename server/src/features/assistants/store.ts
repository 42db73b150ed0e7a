import type { Insertable, Selectable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import { lockName } from '#db/dialect.ts'
import type { Database } from '#db/schema.ts'
import { storedModel } from '../../connections/stored.ts'

export type PresetRow = Selectable<Database['assistant_presets']>

/** A preset and the number of channels that use it. */
export type CountedPreset = PresetRow & { channel_count: number }

function selectWithChannelCount(db: Executor) {
  return db
    .selectFrom('assistant_presets')
    .selectAll()
    .select((eb) =>
      eb.fn
        .coalesce(
          eb
            .selectFrom('channels')
            .select((inner) => inner.fn.countAll<number>().as('channels'))
            .whereRef('channels.assistant_id', '=', 'assistant_presets.assistant_id')
            .where('channels.use_assistant', '=', 1),
          eb.lit(0),
        )
        .as('channel_count'),
    )
}

/** The ids of ready-made assistants that channels use and that are not defined in this installation. */
export async function listUnlistedAssistantIds(db: Executor, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('channels')
    .leftJoin('assistant_presets', 'assistant_presets.assistant_id', 'channels.assistant_id')
    .select('channels.assistant_id')
    .distinct()
    .where('channels.use_assistant', '=', 1)
    .where('channels.assistant_id', '!=', '')
    .where('assistant_presets.id', 'is', null)
    .orderBy('channels.assistant_id')
    .limit(limit)
    .execute()
  return rows.map(({ assistant_id }) => assistant_id)
}

export function listPresets(db: Executor, limit: number): Promise<CountedPreset[]> {
  return selectWithChannelCount(db).orderBy('name').orderBy('id').limit(limit).execute()
}

export function findPreset(db: Executor, id: string): Promise<CountedPreset | undefined> {
  return selectWithChannelCount(db).where('id', '=', id).executeTakeFirst()
}

export async function countPresets(db: Executor): Promise<number> {
  const { presets } = await db
    .selectFrom('assistant_presets')
    .select((eb) => eb.fn.countAll<number>().as('presets'))
    .executeTakeFirstOrThrow()
  return presets
}

/** The ready-made assistants with these ids, by id. */
export async function findPresetsByAssistantId(
  db: Executor,
  assistantIds: readonly string[],
): Promise<Map<string, PresetRow>> {
  if (assistantIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('assistant_presets')
    .selectAll()
    .where('assistant_id', 'in', [...new Set(assistantIds)])
    .execute()
  return new Map(rows.map((row) => [row.assistant_id, row]))
}

/** Returns false if the id is taken. */
export async function insertPreset(db: Executor, row: PresetRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('assistant_presets')
    .values(row)
    .onConflict((conflict) => conflict.column('assistant_id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

export async function updatePreset(
  db: Executor,
  id: string,
  changes: Omit<PresetRow, 'id' | 'created_at'>,
): Promise<void> {
  await db.updateTable('assistant_presets').set(changes).where('id', '=', id).execute()
}

/** The check is part of the statement, so that no stored channel can refer to a deleted assistant. */
export async function deleteUnusedPreset(db: Executor, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('assistant_presets')
    .where('id', '=', id)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('channels')
            .select('channels.id')
            .whereRef('channels.assistant_id', '=', 'assistant_presets.assistant_id')
            .where('channels.use_assistant', '=', 1),
        ),
      ),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** How a channel is set up to answer. */
export interface ChannelSetup {
  isReadyMade: boolean
  /** Empty unless `isReadyMade`. */
  assistantId: string
  /** Its assistant is defined in this installation. */
  hasPreset: boolean
  isStrict: boolean
  /** It has documents that are approved and indexed. */
  hasDocuments: boolean
  /** When the channel, its assistant, the models or the connection changed last. */
  changedAt: number
}

/** By the id of the channel. */
export async function findChannelSetups(
  db: Executor,
  channelIds: readonly string[],
): Promise<Map<string, ChannelSetup>> {
  if (channelIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('channels')
    .leftJoin('assistant_presets', 'assistant_presets.assistant_id', 'channels.assistant_id')
    .select((eb) => [
      'channels.id',
      'channels.use_assistant',
      'channels.assistant_id',
      'channels.strict_documents_only',
      'channels.updated_at',
      'assistant_presets.updated_at as preset_updated_at',
      eb
        .selectFrom('settings')
        .select((inner) => inner.fn.max('settings.updated_at').as('updated_at'))
        .where('key', 'in', ['modelMap', storedModel.key])
        .as('settings_updated_at'),
      eb
        .selectFrom('documents')
        .select('documents.id')
        .whereRef('documents.channel_id', '=', 'channels.id')
        .where('documents.generation', 'is not', null)
        .limit(1)
        .as('indexed_document'),
    ])
    .where('channels.id', 'in', channelIds)
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      {
        isReadyMade: row.use_assistant === 1,
        assistantId: row.assistant_id,
        hasPreset: row.preset_updated_at !== null,
        isStrict: row.strict_documents_only === 1,
        hasDocuments: row.indexed_document !== null,
        changedAt: Math.max(row.updated_at, row.preset_updated_at ?? 0, row.settings_updated_at ?? 0),
      },
    ]),
  )
}

/** Prevents other changes to the assistants and the model map until the transaction ends. */
export function lockAssistants(tx: Tx): Promise<void> {
  return lockName(tx, 'assistants')
}

export async function insertTestUsage(
  db: Executor,
  row: Omit<Insertable<Database['llm_usage']>, 'message_id' | 'channel_id' | 'purpose' | 'cost'>,
  purpose: 'answer' | 'embed' = 'answer',
): Promise<void> {
  await db
    .insertInto('llm_usage')
    .values({ ...row, message_id: null, channel_id: null, purpose, cost: null })
    .execute()
}
