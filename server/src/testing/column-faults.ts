import { fileURLToPath } from 'node:url'
import { type Kysely, sql } from 'kysely'
import ts from 'typescript'
import { derivedColumns } from '#db/backup-tables.ts'
import type { Db } from '#db/client.ts'
import { isPostgres } from '#db/dialect.ts'

type Kind = 'text' | 'number' | 'bytes'

interface Column {
  kind: Kind | string
  isNullable: boolean
  /** Whether an insert may omit it although it is not nullable. */
  hasDefault: boolean
}

type Tables = Map<string, Map<string, Column>>

const schemaFile = fileURLToPath(new URL('../db/schema.ts', import.meta.url))

const compilerOptions: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
}

/** Replaces the text of source files; keys are the ends of their paths. */
export type SourceChanges = Record<string, (text: string) => string>

function hostWith(changes: SourceChanges): ts.CompilerHost {
  const host = ts.createCompilerHost(compilerOptions)
  const readFile = host.readFile.bind(host)
  const changed = Object.entries(changes)
  host.readFile = (path) => {
    const text = readFile(path)
    const change = changed.find(([end]) => path.endsWith(end))?.[1]
    return text !== undefined && change ? change(text) : text
  }
  if (changed.length > 0)
    host.getSourceFile = (path, version) => {
      const text = host.readFile(path)
      return text === undefined ? undefined : ts.createSourceFile(path, text, version)
    }
  return host
}

function kindOf(type: ts.Type, checker: ts.TypeChecker): Kind | string {
  const parts = (type.isUnion() ? type.types : [type]).filter(({ flags }) => !(flags & ts.TypeFlags.Null))
  if (parts.every(({ flags }) => flags & ts.TypeFlags.StringLike)) return 'text'
  if (parts.every(({ flags }) => flags & ts.TypeFlags.NumberLike)) return 'number'
  const name = checker.typeToString(type)
  return name.startsWith('Buffer') ? 'bytes' : name
}

function accepts(type: ts.Type, flag: ts.TypeFlags): boolean {
  return (type.isUnion() ? type.types : [type]).some(({ flags }) => flags & flag)
}

function readColumn(column: ts.Symbol, checker: ts.TypeChecker): Column {
  const type = checker.getTypeOfSymbol(column)
  // `Generated<T>` is a `ColumnType`, which has one property for each kind of statement.
  const [selected = type, inserted = type] = ['__select__', '__insert__'].map((name) => {
    const property = type.getProperty(name)
    return property && checker.getTypeOfSymbol(property)
  })
  return {
    kind: kindOf(selected, checker),
    isNullable: accepts(selected, ts.TypeFlags.Null),
    hasDefault: accepts(inserted, ts.TypeFlags.Undefined),
  }
}

/** The tables and columns that `Database` in db/schema.ts declares. */
function declaredTables(changes: SourceChanges): Tables {
  const program = ts.createProgram([schemaFile], compilerOptions, hostWith(changes))
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(schemaFile)
  const declaration = source?.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === 'Database',
  )
  if (!declaration) throw new Error('db/schema.ts declares no Database')
  const tables = checker.getTypeAtLocation(declaration).getProperties()
  return new Map(
    tables.map((table) => [
      table.name,
      new Map(
        checker
          .getTypeOfSymbol(table)
          .getProperties()
          .map((column) => [column.name, readColumn(column, checker)]),
      ),
    ]),
  )
}

const kinds: Record<string, Kind> = {
  text: 'text',
  integer: 'number',
  bigint: 'number',
  real: 'number',
  'double precision': 'number',
  blob: 'bytes',
  bytea: 'bytes',
}

interface ColumnRow {
  table: string
  column: string
  type: string
  nullable: boolean | 0 | 1
  has_default: boolean | 0 | 1
}

const postgresColumnsQuery = `
  select table_name as "table", column_name as "column", data_type as type,
    is_nullable = 'YES' as nullable, column_default is not null as has_default
  from information_schema.columns where table_schema = current_schema()`

/**
 * Treats primary keys as not nullable, although SQLite would allow null. An integer primary key has a default, because
 * SQLite numbers it.
 */
const sqliteColumnsQuery = `
  select t.name as "table", c.name as "column", lower(c.type) as type,
    c."notnull" = 0 and c.pk = 0 as nullable,
    c.dflt_value is not null or (c.pk = 1 and lower(c.type) = 'integer') as has_default
  from pragma_table_list t join pragma_table_xinfo(t.name) c where t.schema = 'main'`

async function existingTables(db: Kysely<unknown>): Promise<Tables> {
  const { rows } = await sql
    .raw<ColumnRow>(isPostgres(db) ? postgresColumnsQuery : sqliteColumnsQuery)
    .execute(db)
  const tables: Tables = new Map()
  for (const { table, column, type, nullable, has_default } of rows) {
    const columns = tables.get(table) ?? new Map<string, Column>()
    columns.set(column, {
      kind: kinds[type] ?? type,
      isNullable: Boolean(nullable),
      hasDefault: Boolean(has_default),
    })
    tables.set(table, columns)
  }
  return tables
}

/** Views on PostgreSQL, which does not say whether their columns can be null. */
const totals = ['user_chat_totals', 'channel_chat_totals']

function describeNull({ isNullable }: Column): string {
  return isNullable ? 'nullable' : 'not nullable'
}

function findFaults(name: string, declared: Column | undefined, existing: Column | undefined): string[] {
  if (!existing) return [`${name} is declared, but the database has no such column`]
  if (!declared) return [`${name} is in the database, but not declared`]
  const faults: string[] = []
  if (declared.kind !== existing.kind)
    faults.push(`${name} is declared as ${declared.kind}, but has the type ${existing.kind}`)
  if (totals.includes(name.split('.')[0] ?? '')) return faults
  if (declared.isNullable !== existing.isNullable)
    faults.push(`${name} is ${describeNull(existing)}, but is declared as ${describeNull(declared)}`)
  // A column with a default may be declared without `Generated`; every insert must then provide it.
  if (declared.hasDefault && !existing.hasDefault)
    faults.push(`${name} has no default, but is declared as Generated`)
  return faults
}

/** Compares the types in db/schema with the columns of a migrated database; returns one sentence per difference. */
export async function findColumnFaults(db: Db, changes: SourceChanges = {}): Promise<string[]> {
  const existing = await existingTables(db as unknown as Kysely<unknown>)
  return [...declaredTables(changes)].flatMap(([table, declared]) => {
    const columns = existing.get(table)
    if (!columns) return [`${table} is declared, but the database has no such table`]
    const names = new Set([...declared.keys(), ...columns.keys()])
    for (const name of derivedColumns[table] ?? []) names.delete(name)
    return [...names].flatMap((name) => findFaults(`${table}.${name}`, declared.get(name), columns.get(name)))
  })
}
