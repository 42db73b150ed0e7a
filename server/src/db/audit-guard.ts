import { type Kysely, sql } from 'kysely'
import type { Executor } from './client.ts'
import { isPostgres } from './dialect.ts'

/** The setting that names the last entry whose time is over; up to it, and no further, entries may be deleted. */
const purgedUntil = 'auditPurgedUntil'

function cutOff(number: 'integer' | 'bigint'): string {
  return `coalesce((select cast(value as ${number}) from settings where key = '${purgedUntil}'), 0)`
}

const sqliteSteps = [
  `create trigger audit_log_keeps_entries before update on audit_log begin
    select raise(abort, 'the audit log is append-only');
  end`,
  `create trigger audit_log_keeps_rows before delete on audit_log when old.seq > ${cutOff('integer')} begin
    select raise(abort, 'the audit log is append-only');
  end`,
]

const postgresSteps = [
  `create function keep_audit_log() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' and old.seq <= ${cutOff('bigint')} then return old; end if;
    raise exception 'the audit log is append-only';
  end $$`,
  `create trigger audit_log_keeps_rows before update or delete on audit_log
    for each row execute function keep_audit_log()`,
  `create trigger audit_log_keeps_all before truncate on audit_log
    for each statement execute function keep_audit_log()`,
]

/**
 * Has the database itself refuse to change entries, and to delete any but those whose time is over. That guards against
 * our own mistakes; whoever may alter the schema can take it away, and then the chain tells.
 */
export async function keepAuditLog(db: Kysely<unknown>): Promise<void> {
  for (const step of isPostgres(db) ? postgresSteps : sqliteSteps) await sql.raw(step).execute(db)
}

/** Lets the entries up to a number be deleted from here on. They are gone in the same transaction. */
export async function allowPurge(db: Executor, seq: number, now: number): Promise<void> {
  const row = { value: String(seq), updated_at: now }
  await db
    .insertInto('settings')
    .values({ key: purgedUntil, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute()
}
