import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { isPostgres } from '#db/dialect.ts'

/** One property of the schema, such as the type of a column. */
interface Fact {
  table: string
  kind: 'table' | 'column' | 'index' | 'constraint' | 'trigger' | 'function' | 'view'
  name: string
  /** How the database describes it. Compared as a whole. */
  definition: string
  /** Why rows that servers of the version before write, change or delete could be refused; null if they are not. */
  restriction: string | null
}

export type SchemaFacts = readonly Fact[]

// A foreign key without an action keeps servers from deleting what it refers to.
const postgresFacts = `
  select c.relname as "table", 'table' as kind, c.relname as name, c.relpersistence::text as definition,
    null as restriction
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  union all
  select table_name, 'column', column_name,
    concat_ws(' ', data_type, 'null: ' || is_nullable, 'default: ' || column_default, is_generated),
    case when is_nullable = 'NO' and column_default is null then 'is not null and has no default' end
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
  where table_schema = 'public' and table_type = 'BASE TABLE'
  union all
  select tablename, 'index', indexname, indexdef, case when indexdef like 'CREATE UNIQUE%' then 'is unique' end
  from pg_indexes where schemaname = 'public'
  union all
  select conrelid::regclass::text, 'constraint', conname, pg_get_constraintdef(oid),
    case when contype <> 'f' then 'is a constraint' when confdeltype not in ('c', 'n') then 'has no action on delete' end
  from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0
  union all
  select tgrelid::regclass::text, 'trigger', tgname, pg_get_triggerdef(oid), null from pg_trigger where not tgisinternal
  union all
  select proname, 'function', proname, prosrc, null from pg_proc where pronamespace = 'public'::regnamespace
  union all
  select viewname, 'view', viewname, definition, null from pg_views where schemaname = 'public'`

const sqliteColumns = `
  select t.name as "table", 'column' as kind, c.name as name,
    concat_ws(' ', c.type, 'not null: ' || c."notnull", 'default: ' || c.dflt_value, 'key: ' || c.pk, c.hidden) as definition,
    case when c."notnull" = 1 and c.dflt_value is null then 'is not null and has no default' end as restriction
  from pragma_table_list t join pragma_table_xinfo(t.name) c
  where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%'
  union all
  select t.name, 'constraint', f."from" || ' references ' || f."table", f.on_delete,
    case when f.on_delete not in ('CASCADE', 'SET NULL') then 'has no action on delete' end
  from pragma_table_list t join pragma_foreign_key_list(t.name) f where t.schema = 'main' and t.type = 'table'`

// SQLite has the constraints of a table only in its text, where it inserts new columns before them.
const sqliteObjects = `
  select tbl_name as "table", type as kind, name, coalesce(sql, '') as definition,
    case when type = 'index' and sql like 'create unique%' then 'is unique' end as restriction
  from sqlite_master where name not like 'sqlite_%'`

/** Reads the schema, except for the tables of the migrations themselves. */
export async function readSchemaFacts(db: Db): Promise<SchemaFacts> {
  const queries = isPostgres(db as never) ? [postgresFacts] : [sqliteColumns, sqliteObjects]
  const results = await Promise.all(queries.map((query) => sql.raw<Fact>(query).execute(db)))
  return results.flatMap(({ rows }) => rows).filter(({ table }) => !table.startsWith('kysely_'))
}

/** The columns and constraints of a table, with what is before and after them. */
function splitTable(definition: string): { around: string; parts: string[] } {
  const [start, end] = [definition.indexOf('('), definition.lastIndexOf(')')]
  // PostgreSQL describes a table with one word, and its columns and constraints apart.
  if (start < 0) return { around: definition, parts: [] }
  const parts = ['']
  let depth = 0
  for (const char of definition.slice(start + 1, end)) {
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (char === ',' && depth === 0) parts.push('')
    else parts.push(`${parts.pop()}${char}`)
  }
  return {
    around: definition.slice(0, start) + definition.slice(end),
    parts: parts.map((part) => part.trim()),
  }
}

const tableConstraint = /^(?:constraint|primary key|unique|check|foreign key)\b/i

/** Whether the later definition only adds columns. */
function isSameTable(before: string, after: string): boolean {
  const [earlier, later] = [splitTable(before), splitTable(after)]
  const added = later.parts.filter((part) => !earlier.parts.includes(part))
  const kept = later.parts.filter((part) => earlier.parts.includes(part))
  return (
    earlier.around === later.around &&
    kept.join() === earlier.parts.join() &&
    !added.some((part) => tableConstraint.test(part))
  )
}

function isSame(before: Fact, after: Fact): boolean {
  return before.kind === 'table'
    ? isSameTable(before.definition, after.definition)
    : before.definition === after.definition
}

function key({ table, kind, name }: Fact): string {
  return `${kind} ${table}.${name}`
}

/**
 * Returns what servers of the version before could fail on, one sentence each. An index on a table that exists is an
 * error too, unless it is created outside a transaction.
 */
export function findIncompatibilities(
  before: SchemaFacts,
  after: SchemaFacts,
  isOutsideTransaction = false,
): string[] {
  const added = new Map(after.map((fact) => [key(fact), fact]))
  const faults: string[] = []
  for (const fact of before) {
    const now = added.get(key(fact))
    if (now === undefined) faults.push(`The ${key(fact)} is gone.`)
    else if (!isSame(fact, now)) faults.push(`The ${key(fact)} has changed.`)
    added.delete(key(fact))
  }
  const existing = new Set(before.map(({ table }) => table))
  for (const fact of added.values()) {
    const isOnNewTable = !existing.has(fact.table)
    // Only rows that the new version writes are in a new table, but they can keep others from being deleted.
    if (fact.restriction !== null && !(isOnNewTable && fact.restriction !== 'has no action on delete'))
      faults.push(`The new ${key(fact)} ${fact.restriction}.`)
    if (fact.kind === 'index' && !isOnNewTable && !isOutsideTransaction)
      faults.push(`The new ${key(fact)} blocks writes while it is created.`)
  }
  return faults
}
