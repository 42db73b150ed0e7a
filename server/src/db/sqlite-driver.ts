import { type FileHandle, open } from 'node:fs/promises'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { retryWithRoom } from '#lib/disk-full.ts'

/** The maximum number of prepared statements that one connection caches. */
const maxCachedStatements = 500

/** SQLite's own `lower` handles ASCII only. Indexes may use this function, so every connection that writes needs it. */
export function defineLower(db: DatabaseSync): void {
  db.function('lower', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  )
}

interface Prepared {
  statement: StatementSync
  /** Whether the statement returns rows. This never changes for a statement. */
  hasRows: boolean
}

/** Caches prepared statements by their text: preparing costs more than running most of our queries. */
class Handle {
  readonly db: DatabaseSync
  readonly #statements = new Map<string, Prepared>()

  constructor(path: string, options: { readOnly: boolean }) {
    this.db = new DatabaseSync(path, { readOnly: options.readOnly, enableForeignKeyConstraints: true })
    defineLower(this.db)
    this.db.exec('PRAGMA busy_timeout = 5000; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY')
  }

  prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    if (this.#statements.size >= maxCachedStatements) {
      const oldest = this.#statements.keys().next().value
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    const statement = this.db.prepare(sql)
    const prepared = { statement, hasRows: statement.columns().length > 0 }
    this.#statements.set(sql, prepared)
    return prepared
  }

  run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, hasRows } = this.prepare(sql)
    const values = parameters as SQLInputValue[]
    if (hasRows) return { rows: statement.all(...values) as R[] }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
}

/** Lets one caller through at a time, in the order of their calls. */
class Mutex {
  #tail: Promise<void> = Promise.resolve()

  async acquire(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#tail
    this.#tail = promise
    await before
    return resolve
  }
}

/**
 * Flushes the write-ahead log to the disk in a thread, which the event loop does not wait for. Transactions that commit
 * while a flush runs share the next one. See docs/decisions/0029.
 */
class LogFlusher {
  readonly #path: string
  #file: FileHandle | null = null
  #current: Promise<void> = Promise.resolve()
  #next: Promise<void> | null = null

  constructor(path: string) {
    this.#path = path
  }

  /** Resolves when everything that has been committed so far is on the disk. */
  flush(): Promise<void> {
    // A flush that runs already may have begun before the commit.
    this.#next ??= this.#current
      .catch(() => undefined)
      .then(() => {
        this.#next = null
        this.#current = this.#flushNow()
        return this.#current
      })
    return this.#next
  }

  async #flushNow(): Promise<void> {
    try {
      this.#file ??= await open(this.#path, 'r+')
      await this.#file.datasync()
    } catch (error) {
      // Without the cause, because a full disk would otherwise repeat a transaction that has been committed.
      throw new Error(`The database could not be flushed to the disk: ${String(error)}`)
    }
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#current).catch(() => undefined)
    await this.#file?.close()
  }
}

function isRead({ query, sql }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || /^\s*select\b/i.test(sql)
}

/**
 * Outside a transaction, a read uses the reader at once: WAL allows it, and it never sees another request's uncommitted
 * work. A write waits for its turn on the single writer. A transaction keeps the writer until it ends.
 */
class Connection implements DatabaseConnection {
  readonly #driver: NodeSqliteDriver
  release: (() => void) | null = null
  /** Whether the transaction may have changed something. */
  hasWritten = false

  constructor(driver: NodeSqliteDriver) {
    this.#driver = driver
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { reader, writer, writerMutex, logFlusher, makeRoom } = this.#driver
    if (this.release) {
      this.hasWritten ||= !isRead(query)
      return writer.run(query)
    }
    if (isRead(query)) return reader.run(query)
    const done = await writerMutex.acquire()
    let result: QueryResult<R>
    try {
      result = await retryWithRoom(makeRoom, async () => writer.run<R>(query))
    } finally {
      done()
    }
    if (result.rows.length > 0 || result.numAffectedRows) await logFlusher.flush()
    return result
  }

  // biome-ignore lint/correctness/useYield: Kysely's interface requires it; exports read page by page instead
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('SQLite results cannot be streamed. Read them page by page.')
  }
}

class NodeSqliteDriver implements Driver {
  readonly writer: Handle
  readonly reader: Handle
  readonly writerMutex = new Mutex()
  readonly logFlusher: LogFlusher
  readonly makeRoom: () => boolean

  constructor(path: string, makeRoom: () => boolean) {
    this.makeRoom = makeRoom
    this.writer = new Handle(path, { readOnly: false })
    this.writer.db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    this.logFlusher = new LogFlusher(`${path}-wal`)
    this.reader = new Handle(path, { readOnly: true })
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    return new Connection(this)
  }

  async beginTransaction(connection: Connection): Promise<void> {
    const release = await this.writerMutex.acquire()
    try {
      this.writer.db.exec('BEGIN IMMEDIATE')
    } catch (error) {
      release()
      throw error
    }
    connection.release = release
    connection.hasWritten = false
  }

  async commitTransaction(connection: Connection): Promise<void> {
    this.writer.db.exec('COMMIT')
    this.#finish(connection)
    if (connection.hasWritten) await this.logFlusher.flush()
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    // A failed COMMIT may have ended the transaction already, and another one may have begun since.
    if (connection.release && this.writer.db.isTransaction) this.writer.db.exec('ROLLBACK')
    this.#finish(connection)
  }

  #finish(connection: Connection): void {
    connection.release?.()
    connection.release = null
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.logFlusher.close()
    this.reader.db.close()
    this.writer.db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    this.writer.db.close()
  }
}

class Adapter extends SqliteAdapter {
  /** Without this, Kysely uses one connection at a time, and reads wait for every transaction. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  /**
   * Makes Kysely run all pending migrations in one transaction. Otherwise a process that is killed during an upgrade
   * leaves half a migration behind, and no later start can finish it.
   */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

export function nodeSqliteDialect(path: string, makeRoom: () => boolean): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => new NodeSqliteDriver(path, makeRoom),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
