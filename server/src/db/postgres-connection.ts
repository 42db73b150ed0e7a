import pg from 'pg'
import { DatabaseUnavailable, isUnavailableState } from './database-unavailable.ts'

// The driver returns int8 as text by default. Our times and counts stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** After a failover, the next connection may reach the new primary. */
const readOnly = '25006'

/**
 * A connection that classifies failures by where they come from. Whatever fails on a broken connection is
 * `DatabaseUnavailable`; an error that PostgreSQL sends stays as it is, unless it means that it cannot answer now.
 */
export class PostgresConnection extends pg.Client {
  #running = 0
  #busySince: number | null = null
  #answeredAt = 0
  #isBroken = false

  constructor(config: pg.ClientConfig = {}) {
    // A machine that disappears is noticed after about 20 s, even if we are only waiting for its answer.
    super({ ...config, keepAlive: true, keepAliveInitialDelayMillis: 10_000 })
    // An `error` event without a listener ends the process. The running statement rejects anyway.
    this.on('error', () => {
      this.#isBroken = true
    })
  }

  /** Since when we wait for an answer, on the clock of `performance`; null while no statement runs. */
  get busySince(): number | null {
    return this.#busySince
  }

  /** When the last answer arrived, on the same clock. */
  get answeredAt(): number {
    return this.#answeredAt
  }

  /** Identifies the session in `pg_stat_activity`, unless a connection pooler is in between. */
  get sessionId(): number {
    return (this as { processID?: number }).processID ?? 0
  }

  /** Breaks the connection without telling PostgreSQL, which may not be listening. */
  abort(reason: string): void {
    this.#isBroken = true
    this.connection.stream.destroy(new Error(reason))
  }

  override readonly query = ((...args: Parameters<pg.Client['query']>) =>
    this.#classify(
      Reflect.apply(super.query, this, args) as unknown as Promise<unknown>,
    )) as pg.Client['query']

  async #classify<R>(result: Promise<R>): Promise<R> {
    this.#running += 1
    this.#busySince ??= performance.now()
    try {
      return await result
    } catch (error) {
      const state = error instanceof pg.DatabaseError ? error.code : undefined
      if (state === readOnly) this.abort('PostgreSQL is read-only')
      if (state === undefined ? this.#isBroken : isUnavailableState(state))
        throw new DatabaseUnavailable(error)
      throw error
    } finally {
      this.#running -= 1
      if (!this.#isBroken) this.#answeredAt = performance.now()
      this.#busySince = this.#running > 0 ? performance.now() : null
    }
  }
}

/** Opens a connection for long work, without the time limits that apply to requests. */
export async function connect(url: string, config: pg.ClientConfig = {}): Promise<PostgresConnection> {
  const connection = new PostgresConnection({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'lyceum records',
    ...config,
  })
  try {
    await connection.connect()
    return connection
  } catch (error) {
    throw new DatabaseUnavailable(error)
  }
}
