import { type Kysely, sql } from 'kysely'
import type { Db } from './client.ts'
import { isPostgres } from './dialect.ts'

export interface DatabaseFacts {
  kind: 'SQLite' | 'PostgreSQL'
  version: string
  bytes: number
}

/** Bytes inside the file that SQLite uses before the file grows; 0 for PostgreSQL, whose files are elsewhere. */
export async function countReusableBytes(db: Db): Promise<number> {
  if (isPostgres(db as unknown as Kysely<never>)) return 0
  const { rows } = await sql<{ bytes: number }>`
    select free.freelist_count * sizes.page_size as bytes
    from pragma_freelist_count() as free, pragma_page_size() as sizes`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Kind, version and size of the database. Reads no tables. */
export async function databaseFacts(db: Db): Promise<DatabaseFacts> {
  if (isPostgres(db as unknown as Kysely<never>)) {
    const { rows } = await sql<{ version: string; bytes: number }>`
      select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`.execute(
      db,
    )
    return { kind: 'PostgreSQL', version: rows[0]?.version ?? '', bytes: Number(rows[0]?.bytes ?? 0) }
  }
  const { rows } = await sql<{ version: string; bytes: number }>`
    select sqlite_version() as version, pages.page_count * sizes.page_size as bytes
    from pragma_page_count() as pages, pragma_page_size() as sizes`.execute(db)
  return { kind: 'SQLite', version: rows[0]?.version ?? '', bytes: rows[0]?.bytes ?? 0 }
}
