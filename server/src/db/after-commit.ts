import type { Kysely, Transaction } from 'kysely'
import type { Database } from './schema.ts'

// Not imported from client.ts, which imports this file.
type Db = Kysely<Database>
type Tx = Transaction<Database>

const callbacksOf = new WeakMap<Tx, (() => void)[]>()

/** Makes `afterCommit` work in the transactions of this database. */
export function runCallbacksAfterCommit(db: Db): Db {
  const begin = db.transaction.bind(db)
  db.transaction = () => {
    const transaction = begin()
    const execute = transaction.execute.bind(transaction)
    transaction.execute = async (work) => {
      let callbacks: (() => void)[] = []
      const result = await execute((tx) => {
        // A transaction that is retried begins with an empty list.
        callbacks = []
        callbacksOf.set(tx, callbacks)
        return work(tx)
      })
      for (const callback of callbacks) callback()
      return result
    }
    return transaction
  }
  return db
}

/** Calls `callback` once the transaction has committed, and never when it is rolled back. */
export function afterCommit(tx: Tx, callback: () => void): void {
  const callbacks = callbacksOf.get(tx)
  if (!callbacks) throw new Error('This transaction was not begun by openDatabase')
  callbacks.push(callback)
}
