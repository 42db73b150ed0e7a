import { sql } from 'kysely'
import { type MigrationProvider, Migrator } from 'kysely/migration'
import { isDiskFull } from '#lib/disk-full.ts'
import { type DatabaseLocation, type Db, openDatabase } from './client.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'
import { foundation } from './migrations/0001-foundation.ts'
import { people } from './migrations/0002-people.ts'
import { assistants } from './migrations/0003-assistants.ts'
import { documentVersions } from './migrations/0004-document-versions.ts'
import { testBench } from './migrations/0005-test-bench.ts'
import { feedback } from './migrations/0006-feedback.ts'
import { messageSearch } from './migrations/0007-message-search.ts'
import { auditLog } from './migrations/0008-audit-log.ts'
import { usage } from './migrations/0009-usage.ts'
import { retention } from './migrations/0010-retention.ts'
import { unreadPages } from './migrations/0011-unread-pages.ts'
import { chatTitles } from './migrations/0012-chat-titles.ts'
import { grounding } from './migrations/0013-grounding.ts'
import { chatSharing } from './migrations/0014-chat-sharing.ts'
import { starterQuestions } from './migrations/0015-starter-questions.ts'
import { invitationRole } from './migrations/0016-invitation-role.ts'
import { archivedChannels } from './migrations/0017-archived-channels.ts'
import { failedDocuments } from './migrations/0018-failed-documents.ts'
import { rejectionReasons } from './migrations/0019-rejection-reasons.ts'
import { attachments } from './migrations/0020-attachments.ts'
import { runningReplies } from './migrations/0021-running-replies.ts'
import { chatTotals } from './migrations/0022-chat-totals.ts'
import { nodes } from './migrations/0023-nodes.ts'
import { sharedEventLog } from './migrations/0024-shared-event-log.ts'
import { drainingNodes } from './migrations/0025-draining-nodes.ts'
import { rateCounters } from './migrations/0026-rate-counters.ts'
import { usageSlots } from './migrations/0027-usage-slots.ts'

const migrations = {
  '0001-foundation': foundation,
  '0002-people': people,
  '0003-assistants': assistants,
  '0004-document-versions': documentVersions,
  '0005-test-bench': testBench,
  '0006-feedback': feedback,
  '0007-message-search': messageSearch,
  '0008-audit-log': auditLog,
  '0009-usage': usage,
  '0010-retention': retention,
  '0011-unread-pages': unreadPages,
  '0012-chat-titles': chatTitles,
  '0013-grounding': grounding,
  '0014-chat-sharing': chatSharing,
  '0015-starter-questions': starterQuestions,
  '0016-invitation-role': invitationRole,
  '0017-archived-channels': archivedChannels,
  '0018-failed-documents': failedDocuments,
  '0019-rejection-reasons': rejectionReasons,
  '0020-attachments': attachments,
  '0021-running-replies': runningReplies,
  '0022-chat-totals': chatTotals,
  '0023-nodes': nodes,
  '0024-shared-event-log': sharedEventLog,
  '0025-draining-nodes': drainingNodes,
  '0026-rate-counters': rateCounters,
  '0027-usage-slots': usageSlots,
}

const provider: MigrationProvider = { getMigrations: async () => migrations }

/** A newer version of Lyceum wrote the schema, so this version must not touch it. */
export class SchemaIsNewer extends Error {}

/** The schema needs an upgrade, during which no server may run. The message says what to do. */
export class SchemaIsOlder extends Error {}

/** A migration failed, and would fail again. Nothing was changed, because all migrations run in one transaction. */
export class MigrationFailed extends Error {}

/** The migrations that this version knows, in order. */
export const knownMigrations: readonly string[] = Object.keys(migrations).sort()

/**
 * Runs all pending migrations, or those up to the given one. They run in one transaction, so a failure or a killed
 * process leaves the schema as it was. On PostgreSQL an advisory lock lets only one process migrate at a time. Returns
 * the names of the migrations that ran.
 */
export async function migrate(db: Db, upTo?: string): Promise<string[]> {
  const migrator = new Migrator({ db, provider })
  const applied = (await migrator.getMigrations()).filter(({ executedAt }) => executedAt)
  const { error, results } = await (upTo === undefined
    ? migrator.migrateToLatest()
    : migrator.migrateTo(upTo))
  if (error) {
    if (/previously executed migration .* is missing/.test(String(error)))
      throw new SchemaIsNewer(
        `The database was written by a newer version of Lyceum (it has run ${applied.length} migrations). Please start that version, or restore a backup.`,
      )
    const failed = results?.find(({ status }) => status === 'Error')?.migrationName
    if (failed === undefined || isDatabaseUnavailable(error) || isDiskFull(error)) throw error
    throw new MigrationFailed(`migration ${failed} failed (${(error as Error).message})`, { cause: error })
  }
  return (results ?? []).map(({ migrationName }) => migrationName)
}

/** Like `migrate`, over a connection of its own, on which a statement may take as long as it needs. */
export async function migrateAt(location: DatabaseLocation, upTo?: string): Promise<string[]> {
  const db = openDatabase('sqlite' in location ? location : { ...location, hasTimeLimit: false })
  try {
    return await migrate(db, upTo)
  } finally {
    await db.destroy()
  }
}

/** Returns what a start would do to the schema, without doing it. */
export async function migrationState(db: Db): Promise<{ pending: string[]; isNewer: boolean }> {
  const known = await new Migrator({ db, provider }).getMigrations()
  const pending = known.filter(({ executedAt }) => !executedAt).map(({ name }) => name)
  const applied = known.length - pending.length
  if (applied === 0) return { pending, isNewer: false }
  const { rows } = await sql<{ steps: number }>`select count(*) as steps from kysely_migration`.execute(db)
  return { pending, isNewer: (rows[0]?.steps ?? 0) > applied }
}

/** Whether all migrations of this version have run, on a database that has a schema. Cheaper than `migrationState`. */
export async function isSchemaComplete(db: Db): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const executed = new Set(rows.map(({ name }) => name))
  return knownMigrations.every((name) => executed.has(name))
}

/** Throws if a start would change the schema, which the other servers of a cluster may be using. */
export async function requireNoUpgrade(db: Db): Promise<void> {
  const { pending, isNewer } = await migrationState(db)
  if (pending.length > 0 && !isNewer)
    throw new SchemaIsOlder(
      'The database must be upgraded before this version can start. Stop all servers, then run: npx lyceum migrate',
    )
}

/** Returns when the newest migration ran: at the installation, or at the last upgrade. Null without any. */
export async function readLastMigrationTime(db: Db): Promise<number | null> {
  const known = await new Migrator({ db, provider }).getMigrations()
  const times = known.flatMap(({ executedAt }) => (executedAt ? [executedAt.getTime()] : []))
  return times.length === 0 ? null : Math.max(...times)
}
