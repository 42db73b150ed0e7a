import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { isDiskFull } from '#lib/disk-full.ts'
import { type DatabaseLocation, type Db, type Executor, openDatabase, type Tx } from './client.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'
import { isPostgres } from './dialect.ts'
import type { Step } from './index-step.ts'
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
import { nodeSteps } from './migrations/0028-expand-node-steps.ts'
import { apiKeys } from './migrations/0029-expand-api-keys.ts'
import { singleSignOn } from './migrations/0030-expand-single-sign-on.ts'
import { testAnswers } from './migrations/0031-expand-test-answers.ts'
import { revokedApiKeys } from './migrations/0032-expand-revoked-api-keys.ts'
import { citationCheck } from './migrations/0033-expand-citation-check.ts'
import { groups } from './migrations/0034-expand-groups.ts'
import { grantsBySource } from './migrations/0035-expand-grants-by-source.ts'
import { directories } from './migrations/0036-expand-directories.ts'
import { auditReceivers } from './migrations/0037-expand-audit-receivers.ts'
import { connectedPrograms } from './migrations/0038-expand-connected-programs.ts'
import { webhooks } from './migrations/0039-expand-webhooks.ts'
import { embedding } from './migrations/0040-expand-embedding.ts'
import { visitors } from './migrations/0041-expand-visitors.ts'
import { usersByVisitorChannel } from './migrations/0042-expand-users-by-visitor-channel.ts'

const migrations: Readonly<Record<string, Step>> = {
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
  '0028-expand-node-steps': nodeSteps,
  '0029-expand-api-keys': apiKeys,
  '0030-expand-single-sign-on': singleSignOn,
  '0031-expand-test-answers': testAnswers,
  '0032-expand-revoked-api-keys': revokedApiKeys,
  '0033-expand-citation-check': citationCheck,
  '0034-expand-groups': groups,
  '0035-expand-grants-by-source': grantsBySource,
  '0036-expand-directories': directories,
  '0037-expand-audit-receivers': auditReceivers,
  '0038-expand-connected-programs': connectedPrograms,
  '0039-expand-webhooks': webhooks,
  '0040-expand-embedding': embedding,
  '0041-expand-visitors': visitors,
  '0042-expand-users-by-visitor-channel': usersByVisitorChannel,
}

/** A newer version of Lyceum wrote the schema, so this version must not touch it. */
export class SchemaIsNewer extends Error {}

/** The schema lacks what this version needs. The message says what to do. */
export class SchemaIsOlder extends Error {}

/** Servers that are running may need what a contract step removes. The message names them. */
export class SchemaInUse extends Error {}

/** A migration failed, and would fail again. It has changed nothing, or can run again. */
export class MigrationFailed extends Error {}

/** The migrations that this version knows, in order. */
export const knownMigrations: readonly string[] = Object.keys(migrations).sort()

/** The number of the last migration that needs a database that no server uses. Later ones expand or contract. */
const baseline = '0027'

/**
 * An expand step only adds, so servers of the version before keep running. A contract step removes or narrows what only
 * earlier versions need. The name says which, so that a version can judge steps that it does not know.
 */
export function kindOfStep(name: string): 'baseline' | 'expand' | 'contract' | 'unknown' {
  if (name.slice(0, baseline.length) <= baseline) return 'baseline'
  const kind = /^\d{4}-(expand|contract)-/.exec(name)?.[1]
  return kind === 'expand' || kind === 'contract' ? kind : 'unknown'
}

/** What this version cannot do without. It works whether or not its contract steps have run. */
const requiredSteps = knownMigrations.filter((name) => kindOfStep(name) !== 'contract')

/** Whether a newer version has added to the schema, which this one does not notice. */
export function isForeignExpansion(name: string): boolean {
  return !knownMigrations.includes(name) && kindOfStep(name) === 'expand'
}

/** Whether the step must not run in a transaction. */
export function isStepOutsideTransaction(name: string): boolean {
  return migrations[name]?.isOutsideTransaction === true
}

/** Reads a database that has a schema. */
async function readExecuted(db: Executor): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Reads a database that may be empty. Kysely's own way would describe every table of the database. */
async function readExecutedIfAny(db: Db): Promise<string[]> {
  const table = isPostgres(db as never)
    ? sql<{ name: string | null }>`select to_regclass('kysely_migration')::text as name`
    : sql<{ name: string }>`select name from sqlite_master where type = 'table' and name = 'kysely_migration'`
  const { rows } = await table.execute(db)
  return rows[0]?.name ? readExecuted(db) : []
}

function describeNewer(executed: readonly string[]): SchemaIsNewer {
  return new SchemaIsNewer(
    `The database was written by a newer version of Lyceum (it has run ${executed.length} migrations). Please start that version, or restore a backup.`,
  )
}

/** Runs those of the given steps that have not run. Steps of a newer version that only add to the schema are left alone. */
async function runSteps(
  db: Db,
  steps: Readonly<Record<string, Step>>,
  disableTransactions = false,
): Promise<string[]> {
  const executed = await readExecutedIfAny(db)
  const others = executed.filter((name) => name in migrations || isForeignExpansion(name))
  // They have run, so they do not run again.
  const done = Object.fromEntries(
    others.map((name): [string, Migration] => [name, { up: async () => undefined }]),
  )
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...done, ...steps }) },
    // A contract step runs after the expand steps of later versions, if servers needed what it removes.
    allowUnorderedMigrations: true,
    disableTransactions,
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) {
    if (/previously executed migration .* is missing/.test(String(error))) throw describeNewer(executed)
    const failed = results?.find(({ status }) => status === 'Error')?.migrationName
    const isExplained = error instanceof SchemaInUse || isDatabaseUnavailable(error) || isDiskFull(error)
    if (failed === undefined || isExplained) throw error
    throw new MigrationFailed(`migration ${failed} failed (${(error as Error).message})`, { cause: error })
  }
  return (results ?? []).map(({ migrationName }) => migrationName)
}

function pickSteps(names: readonly string[]): Record<string, Step> {
  return Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)))
}

/**
 * Runs all pending migrations, or those up to the given one. No server may be running. They run in one transaction, so a
 * failure or a killed process leaves the schema as it was. On PostgreSQL an advisory lock lets only one process migrate
 * at a time. Returns the names of the migrations that ran.
 */
export function migrate(db: Db, upTo?: string): Promise<string[]> {
  return runSteps(db, pickSteps(knownMigrations.filter((name) => upTo === undefined || name <= upTo)))
}

/** Runs the given migrations, over a connection of its own, on which a statement may take as long as it needs. */
export async function migrateAt(
  location: DatabaseLocation,
  names: readonly string[] = knownMigrations,
): Promise<string[]> {
  const db = openDatabase('sqlite' in location ? location : { ...location, hasTimeLimit: false })
  try {
    return await runSteps(db, pickSteps(names))
  } finally {
    await db.destroy()
  }
}

type PostgresLocation = Extract<DatabaseLocation, { postgres: string }>

/**
 * How long a step waits for the lock on a table, in milliseconds. Meanwhile, the statements of servers wait too. Then it
 * gives way to them and tries again.
 */
const lockTimeout = 1000
const lockRetryPause = 2000
const lockTries = 30
const lockNotAvailable = '55P03'

function isLockTimeout(error: unknown): boolean {
  return error instanceof MigrationFailed && (error.cause as { code?: string }).code === lockNotAvailable
}

/** Runs steps while servers use the database, each in a transaction of its own, so that no lock is held for long. */
async function runBesideServers(
  location: PostgresLocation,
  steps: Readonly<Record<string, Step>>,
): Promise<string[]> {
  const db = openDatabase({ ...location, poolSize: 1, hasTimeLimit: false, lockTimeout })
  try {
    const done: string[] = []
    for (const [name, step] of Object.entries(steps))
      for (let tries = 1; ; tries += 1)
        try {
          done.push(...(await runSteps(db, { [name]: step }, step.isOutsideTransaction)))
          break
        } catch (error) {
          if (!isLockTimeout(error) || tries === lockTries) throw error
          await sleep(lockRetryPause)
        }
    return done
  } finally {
    await db.destroy()
  }
}

/** Runs the given expand steps. Servers of this version and of the one before may be running. */
export function expandAt(location: PostgresLocation, names: readonly string[]): Promise<string[]> {
  return runBesideServers(location, pickSteps(names))
}

/** Runs the given contract steps. `guard` runs in the transaction of each, and throws if a server may need what it removes. */
export function contractAt(
  location: PostgresLocation,
  names: readonly string[],
  guard: (tx: Tx, step: string) => Promise<void>,
): Promise<string[]> {
  const guarded = Object.entries(pickSteps(names)).map(([name, step]): [string, Step] => [
    name,
    {
      async up(tx) {
        await guard(tx as Tx, name)
        await step.up(tx)
      },
    },
  ])
  return runBesideServers(location, Object.fromEntries(guarded))
}

export interface SchemaState {
  /** What this version cannot do without. */
  pending: string[]
  /** Contract steps that have not run. */
  uncontracted: string[]
  /** Whether a newer version has removed or narrowed something. */
  isNewer: boolean
}

function compareSchema(executed: readonly string[]): SchemaState {
  return {
    pending: requiredSteps.filter((name) => !executed.includes(name)),
    uncontracted: knownMigrations.filter(
      (name) => kindOfStep(name) === 'contract' && !executed.includes(name),
    ),
    isNewer: executed.some((name) => !knownMigrations.includes(name) && !isForeignExpansion(name)),
  }
}

/** Compares the schema with what this version knows. */
export async function migrationState(db: Db): Promise<SchemaState> {
  return compareSchema(await readExecutedIfAny(db))
}

/** Whether this version can use the database, which has a schema. Cheaper than `migrationState`. */
export async function isSchemaComplete(db: Db): Promise<boolean> {
  return compareSchema(await readExecuted(db)).pending.length === 0
}

/** Throws if this version cannot use the database. */
export async function requireUsableSchema(tx: Tx): Promise<void> {
  const executed = await readExecuted(tx)
  const { pending, isNewer } = compareSchema(executed)
  if (isNewer) throw describeNewer(executed)
  if (pending.length > 0) throw describeOlder(pending)
}

function describeOlder(pending: readonly string[]): SchemaIsOlder {
  const stop = pending.some((name) => kindOfStep(name) === 'baseline') ? 'Stop all servers, then run' : 'Run'
  return new SchemaIsOlder(
    `The database must be upgraded before this version can start. ${stop}: npx lyceum migrate`,
  )
}

const schemaPollPause = 500

/**
 * Waits until another process has upgraded the schema, and throws if that takes longer. It does not wait for an upgrade
 * that needs all servers to be stopped, except on an empty database.
 */
export async function waitForSchema(db: Db, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const executed = await readExecutedIfAny(db)
    const { pending, isNewer } = compareSchema(executed)
    if (isNewer) throw describeNewer(executed)
    if (pending.length === 0) return
    const needsStop = executed.length > 0 && pending.some((name) => kindOfStep(name) === 'baseline')
    if (needsStop || performance.now() >= deadline) throw describeOlder(pending)
    await sleep(schemaPollPause)
  }
}

/** Returns when the newest migration ran: at the installation, or at the last upgrade. Null without any. */
export async function readLastMigrationTime(db: Db): Promise<number | null> {
  const provider = { getMigrations: async () => migrations }
  const known = await new Migrator({ db, provider }).getMigrations()
  const times = known.flatMap(({ executedAt }) => (executedAt ? [executedAt.getTime()] : []))
  return times.length === 0 ? null : Math.max(...times)
}
