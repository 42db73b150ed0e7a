/**
 * The database cannot be reached, or cannot answer right now. The request may be fine and can be repeated. After a lost
 * COMMIT nobody knows whether it took effect, so only an idempotent request may be repeated without being asked.
 */
export class DatabaseUnavailable extends Error {
  /** The SQLSTATE, or the code of the operating system; undefined if neither applies. */
  readonly code: string | undefined

  constructor(cause: unknown) {
    const { code, message } = cause as { code?: string; message?: string }
    super(message || code || String(cause), { cause })
    this.code = code
  }
}

/**
 * SQLSTATEs with which PostgreSQL ends a session or refuses a statement although the request is fine:
 * - `08`: connection exceptions
 * - `25006`: read-only, because this is a standby that was not promoted yet
 * - `25P03`, `25P04`, `57014`, `57P01` to `57P05`: time limits, shutdown, restart, crash, still starting
 * - `40001`, `40P01`: serialization failure and deadlock; the transaction was rolled back
 * - `53`: out of memory or connections. `53100` is a full disk, which has an answer of its own.
 */
const unavailableState = /^(08...|25006|25P0[34]|40001|40P01|53(?!100)...|57014|57P0[1-5])$/

export function isUnavailableState(sqlState: string | undefined): boolean {
  return unavailableState.test(sqlState ?? '')
}

/** Whether the error means that the database cannot answer right now. The request itself may be fine. */
export function isDatabaseUnavailable(error: unknown): error is DatabaseUnavailable {
  return error instanceof DatabaseUnavailable
}
