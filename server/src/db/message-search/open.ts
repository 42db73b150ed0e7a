import type { Kysely } from 'kysely'
import type { Db } from '../client.ts'
import { isPostgres } from '../dialect.ts'
import type { MessageSearch } from './port.ts'
import { createPostgresSearch } from './postgres-search.ts'
import { createSqliteSearch } from './sqlite-search.ts'

interface Options {
  db: Db
  /** The SQLite database and the index file beside it. Not used on PostgreSQL. */
  databasePath: string
  indexPath: string
  warn: (error: unknown) => void
}

export function openMessageSearch({ db, databasePath, indexPath, warn }: Options): MessageSearch {
  return isPostgres(db as unknown as Kysely<unknown>)
    ? createPostgresSearch(db, warn)
    : createSqliteSearch({ db, databasePath, path: indexPath, warn })
}
