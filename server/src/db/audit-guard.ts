import { type Kysely, sql } from 'kysely'
import type { Executor } from './client.ts'
import { isPostgres } from './dialect.ts'

/** The setting with the `seq` of the newest entry that may be deleted. */
const purgedUntil = 'auditPurgedUntil'

function purgeBoundary(number: 'integer' | 'bigint'): string {
  return `coalesce((select cast(value as ${number}) from settings where key = '${purgedUntil}'), 0)`
}

const sqliteSteps = [
  `create trigger audit_log_keeps_entries before update on audit_log begin
    select raise(abort, 'the audit log is append-only');
  end`,
  `create trigger audit_log_keeps_rows before delete on audit_log when old.seq > ${purgeBoundary('integer')} begin
    select raise(abort, 'the audit log is append-only');
  end`,
]

const postgresSteps = [
  `create function keep_audit_log() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' and old.seq <= ${purgeBoundary('bigint')} then return old; end if;
    raise exception 'the audit log is append-only';
  end $$`,
  `create trigger audit_log_keeps_rows before update or delete on audit_log
    for each row execute function keep_audit_log()`,
  `create trigger audit_log_keeps_all before truncate on audit_log
    for each statement execute function keep_audit_log()`,
]

/**
 * Makes the database itself reject changes to entries and deletions of unexpired ones. This guards against our own
 * mistakes. Someone who can alter the schema can remove it; the hash chain then reveals the change.
 */
export async function protectAuditLog(db: Kysely<unknown>): Promise<void> {
  for (const step of isPostgres(db) ? postgresSteps : sqliteSteps) await sql.raw(step).execute(db)
}

/** Allows entries up to `seq` to be deleted. Call it in the transaction that deletes them. */
export async function allowPurge(db: Executor, seq: number, now: number): Promise<void> {
  const row = { value: String(seq), updated_at: now }
  await db
    .insertInto('settings')
    .values({ key: purgedUntil, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute()
}
