import { sql } from 'kysely'
import type { Db } from '#db/client.ts'

/** The schema with pgvector's operator for the Hamming distance of bits; null if we cannot use it. */
export async function findPgvectorSchema(db: Db): Promise<string | null> {
  const { rows } = await sql<{ schema: string }>`
    select nspname as schema from pg_operator join pg_namespace on pg_namespace.oid = oprnamespace
    where oprname = '<~>' and oprleft = 'bit'::regtype and oprright = 'bit'::regtype
      and has_schema_privilege(pg_namespace.oid, 'usage')`.execute(db)
  return rows[0]?.schema ?? null
}

/** Whether the PostgreSQL server has pgvector installed, so that it can be created in the database. */
export async function isPgvectorAvailable(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_available_extensions where name = 'vector'`.execute(db)
  return rows.length > 0
}
