import { type Kysely, sql } from 'kysely'
import { getDatabaseLocation } from '#backup/locations.ts'
import { backupTables } from '#db/backup-tables.ts'
import { type Db, openDatabase } from '#db/client.ts'
import { migrate } from '#db/migrate.ts'
import { audit } from '../features/audit/append.ts'
import { hashPassword } from '../features/auth/passwords.ts'
import { owner } from './acknowledged-load.ts'
import { begun, type EarlierSize, listEarlierRows, type Row } from './earlier-rows.ts'

/**
 * Fills a database of any migration as the version of that time did: every table that existed gets rows, with the
 * columns that it had.
 */
export async function fillEarlierInstallation(
  db: Db,
  size: EarlierSize,
  passwordHash = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaA',
): Promise<void> {
  const rows = listEarlierRows(size, passwordHash)
  const tables = await db.introspection.getTables()
  // Referenced tables come first.
  for (const { name } of backupTables) {
    const table = tables.find((existing) => existing.name === name)
    if (!table) continue
    if (name === 'audit_log') await addAuditEntries(db)
    else await addRows(db, name, rows[name] ?? [], new Set(table.columns.map((column) => column.name)))
  }
}

async function addRows(
  db: Db,
  table: string,
  rows: readonly Row[],
  columns: ReadonlySet<string>,
): Promise<void> {
  const earlier = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => columns.has(column))),
  )
  for (let at = 0; at < earlier.length; at += 200)
    await (db as unknown as Kysely<Record<string, Row>>)
      .insertInto(table)
      .values(earlier.slice(at, at + 200))
      .execute()
}

async function addAuditEntries(db: Db): Promise<void> {
  for (const at of [begun, begun + 1])
    await db
      .transaction()
      .execute((tx) => audit({ now: () => at }, tx, { actor: null, action: 'keys.rotated' }))
}

/**
 * Returns the rows of every backup table that exists. Given an earlier result, reads only its tables and columns, so
 * that both can be compared.
 */
export async function readEarlierRows(
  db: Db,
  like?: ReadonlyMap<string, readonly Row[]>,
): Promise<Map<string, Row[]>> {
  const tables = await db.introspection.getTables()
  const columnsOf = new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]))
  const found = new Map<string, Row[]>()
  for (const { name, key } of backupTables) {
    const existing = columnsOf.get(name)
    if (existing === undefined || (like && !like.has(name))) continue
    const columns = Object.keys(like?.get(name)?.[0] ?? {})
    const selected = columns.length === 0 ? sql`*` : sql.join(columns.map((column) => sql.ref(column)))
    const order = sql.join(key.filter((column) => existing.includes(column)).map((column) => sql.ref(column)))
    const { rows } = await sql<Row>`select ${selected} from ${sql.ref(name)} order by ${order}`.execute(db)
    // The rows of SQLite have no prototype, which a deep comparison would notice.
    found.set(
      name,
      rows.map((row) => ({ ...row })),
    )
  }
  return found
}

/** The settings of a server. */
export interface UpgradeEnv extends Record<string, string> {
  DATA_DIR: string
}

export interface EarlierInstallation {
  step: string
  size: EarlierSize
  /** The rows that a server leaves as they are. */
  rows: ReadonlyMap<string, readonly Row[]>
}

/** Tables whose rows no server changes or deletes by itself. */
const lastingTables = [
  ...[
    'users',
    'settings',
    'channels',
    'channel_members',
    'assistant_presets',
    'documents',
    'document_versions',
  ],
  ...['passages', 'test_questions', 'test_runs', 'chats', 'messages', 'llm_usage'],
]

export function locationOf(env: UpgradeEnv) {
  return getDatabaseLocation({ DATA_DIR: env.DATA_DIR, DATABASE_DIRECT_URL: env['DATABASE_URL'] })
}

/** Fills an empty database as an earlier version did. */
export async function createEarlierInstallation(
  env: UpgradeEnv,
  step: string,
  size: EarlierSize,
): Promise<EarlierInstallation> {
  const db = openDatabase(locationOf(env))
  try {
    await migrate(db, step)
    await fillEarlierInstallation(db, size, await hashPassword(owner.password))
    const rows = await readEarlierRows(db)
    const users = rows.get('users')?.map(({ last_seen_at: _changed, ...row }) => row) ?? []
    rows.set('users', users)
    return { step, size, rows: new Map([...rows].filter(([table]) => lastingTables.includes(table))) }
  } finally {
    await db.destroy()
  }
}
