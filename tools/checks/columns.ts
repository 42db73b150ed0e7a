import { findColumnFaults } from '../../server/src/testing/column-faults.ts'
import { openMigratedDatabase } from '../../server/src/testing/migrated-database.ts'

/** Compares the table types with the columns on SQLite. The server's tests do the same on both databases. */
export async function findSqliteColumnFaults(): Promise<string[]> {
  const records = await openMigratedDatabase()
  try {
    return await findColumnFaults(records.db)
  } finally {
    await records.close()
  }
}
