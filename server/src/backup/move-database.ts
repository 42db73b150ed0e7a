import { isWithoutRecords, type Loading, loadRecords } from '#db/bulk-load.ts'
import { type Db, openDatabase } from '#db/client.ts'
import type { TableShape } from '#db/kept-tables.ts'
import { knownSteps, migrate } from '#db/migrate.ts'
import { openSnapshot, type Snapshot } from '#db/snapshot.ts'
import { audit } from '../features/audit/append.ts'
import { OperatorError } from './restore.ts'
import { createDigest } from './row-digest.ts'

interface TableMoved {
  name: string
  rows: number
  digest: string
}

function requireCurrent({ steps }: Snapshot): void {
  if (steps.join() !== knownSteps.join())
    throw new OperatorError('The database is not of this version: please run npx lyceum migrate first.')
}

async function requireEmpty(postgres: string): Promise<void> {
  const there = await openSnapshot({ postgres, poolSize: 1 })
  try {
    if (there.steps.some((step) => !knownSteps.includes(step)) || !(await isWithoutRecords(there)))
      throw new OperatorError('The database to move into is in use. Please name an empty one.')
  } finally {
    await there.close()
  }
}

async function digestOf(reader: Pick<Snapshot, 'rows'>, table: TableShape) {
  const digest = createDigest()
  for await (const page of reader.rows(table)) for (const row of page) digest.add(row)
  return digest.result()
}

/** Copies a table and reads it back. */
async function moveTable(source: Snapshot, loading: Loading, table: TableShape): Promise<TableMoved> {
  const given = createDigest()
  for await (const page of source.rows(table)) {
    for (const row of page) given.add(row)
    await loading.add(table, page)
  }
  const [there, here] = [await digestOf(loading.reader, table), given.result()]
  if (there.rows !== here.rows || there.digest !== here.digest)
    throw new OperatorError(
      `${table.name} did not arrive as it was sent (${here.rows} rows, ${there.rows} there): nothing was moved.`,
    )
  return { name: table.name, ...here }
}

export interface Moved {
  tables: TableMoved[]
  /** Why the move does not stand in the audit log, though all was moved; null where it does. */
  notEntered: unknown
}

/** The records are committed by now: that this fails must not be taken for a move that failed. */
async function enter(db: Db, moved: readonly TableMoved[], now: () => number): Promise<unknown> {
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
 * Copies the records of a SQLite file into an empty PostgreSQL database in one transaction and compares both sides table by
 * table. The file is only read. The caller holds the data folder, so that nothing is written meanwhile.
 */
export async function moveDatabase(sqlite: string, postgres: string, now: () => number): Promise<Moved> {
  const source = await openSnapshot({ sqlite })
  try {
    requireCurrent(source)
    await requireEmpty(postgres)
    const db = openDatabase({ postgres, poolSize: 2 })
    try {
      await migrate(db)
      const moved = await loadRecords({ postgres, poolSize: 1 }, async (loading) => {
        const tables: TableMoved[] = []
        for (const table of source.tables) tables.push(await moveTable(source, loading, table))
        return tables
      })
      return { tables: moved, notEntered: await enter(db, moved, now) }
    } finally {
      await db.destroy()
    }
  } finally {
    await source.close()
  }
}
