import type { TableShape } from '#db/backup-tables.ts'
import { hasNoRows, loadRows, type RowLoader } from '#db/bulk-load.ts'
import { type Db, openDatabase } from '#db/client.ts'
import { knownMigrations, migrateAt } from '#db/migrate.ts'
import { openSnapshot, type Snapshot } from '#db/snapshot.ts'
import { audit } from '../features/audit/append.ts'
import { OperatorError } from './restore.ts'
import { createDigest } from './row-digest.ts'

interface MovedTable {
  name: string
  rows: number
  digest: string
}

function requireCurrent({ steps }: Snapshot): void {
  if (steps.join() !== knownMigrations.join())
    throw new OperatorError(
      'The database does not match this version of Lyceum. Run npx lyceum migrate first.',
    )
}

async function requireEmpty(postgres: string): Promise<void> {
  const target = await openSnapshot({ postgres, poolSize: 1 })
  try {
    if (target.steps.some((step) => !knownMigrations.includes(step)) || !(await hasNoRows(target)))
      throw new OperatorError('The target database is in use. Choose an empty one.')
  } finally {
    await target.close()
  }
}

async function digestOf(reader: Pick<Snapshot, 'rows'>, table: TableShape) {
  const digest = createDigest()
  for await (const page of reader.rows(table)) for (const row of page) digest.add(row)
  return digest.result()
}

/** Copies a table and reads it back. */
async function moveTable(source: Snapshot, loader: RowLoader, table: TableShape): Promise<MovedTable> {
  const sourceDigest = createDigest()
  for await (const page of source.rows(table)) {
    for (const row of page) sourceDigest.add(row)
    await loader.add(table, page)
  }
  const [copied, original] = [await digestOf(loader.reader, table), sourceDigest.result()]
  if (copied.rows !== original.rows || copied.digest !== original.digest)
    throw new OperatorError(
      `The copy of ${table.name} does not match (${original.rows} rows in the source, ${copied.rows} in the target).`,
    )
  return { name: table.name, ...original }
}

export interface MoveResult {
  tables: MovedTable[]
  /** The error if the move succeeded but could not be audited; null otherwise. */
  auditError: unknown
}

/** Returns an error instead of throwing it: the rows are committed, so the move must not count as failed. */
async function auditMove(db: Db, moved: readonly MovedTable[], now: () => number): Promise<unknown> {
  const rows = moved.reduce((sum, table) => sum + table.rows, 0)
  try {
    await db.transaction().execute((tx) =>
      audit({ now }, tx, {
        actor: null,
        action: 'database.moved',
        before: { database: 'sqlite' },
        after: { database: 'postgres', tables: moved.length, rows },
      }),
    )
    return null
  } catch (error) {
    return error
  }
}

/**
 * Copies all rows of a SQLite file into an empty PostgreSQL database in one transaction and compares the databases
 * table by table. The file is only read. The caller holds the lock on the data folder, so nothing else writes to it.
 */
export async function moveDatabase(sqlite: string, postgres: string, now: () => number): Promise<MoveResult> {
  const source = await openSnapshot({ sqlite })
  try {
    requireCurrent(source)
    await requireEmpty(postgres)
    await migrateAt({ postgres, poolSize: 1 })
    const db = openDatabase({ postgres, poolSize: 2 })
    try {
      const moved = await loadRows({ postgres, poolSize: 1 }, async (loader) => {
        const tables: MovedTable[] = []
        for (const table of source.tables) tables.push(await moveTable(source, loader, table))
        return tables
      })
      return { tables: moved, auditError: await auditMove(db, moved, now) }
    } finally {
      await db.destroy()
    }
  } finally {
    await source.close()
  }
}
