import type { Deps } from '../../../deps.ts'
import { checkReaders } from './reader-access.ts'
import type { ReplyJournal } from './reply-journal.ts'
import { extendLeases, saveSnapshot } from './reply-store.ts'
import { ReplyCancelled, type ReplyWriter } from './reply-writer.ts'

/** Until then, the journal holds what is not in a snapshot. */
const snapshotInterval = 5000
/** The same while other servers cannot read what is not in a snapshot. */
const snapshotIntervalWithoutLog = 1000
const accessCheckInterval = 5000
const leaseRenewalInterval = 15_000

export interface ReplyHeartbeat {
  /** Starts the timers. They stop by themselves when no reply is running. */
  start(): void
  /** Saves snapshots of all running replies now. */
  save(): void
  stop(): void
}

function createInterruption(): ReplyCancelled {
  return new ReplyCancelled('interrupted', 'chat.interrupted')
}

/** Saves snapshots of running replies, extends their leases, and ends those whose user has lost access. */
export function createReplyHeartbeat(
  deps: Deps,
  running: ReadonlyMap<string, ReplyWriter>,
  journal: ReplyJournal,
): ReplyHeartbeat {
  let timers: NodeJS.Timeout[] = []
  let isSaving = false
  let wasFailing = false

  function stop(): void {
    for (const timer of timers) clearInterval(timer)
    timers = []
  }

  /** All replies have been saved. */
  async function clearFiles(): Promise<void> {
    journal.rotate()()
  }

  function attempt(what: string, work: () => Promise<void>): void {
    if (running.size === 0) stop()
    const done = running.size === 0 ? clearFiles() : work()
    done.catch((error: unknown) => deps.log.warn({ err: error }, `${what} failed`))
  }

  /** Saves all snapshots in one transaction, which costs one disk sync. Ends replies that this node no longer owns. */
  async function save(): Promise<void> {
    // A save that takes longer than the interval must not overlap with the next one.
    if (isSaving) return
    const changed = [...running.values()].flatMap((writer) => {
      const snapshot = writer.takeSnapshot()
      return snapshot ? [{ writer, snapshot }] : []
    })
    if (changed.length === 0) return
    isSaving = true
    try {
      // Without a pause since the snapshots were taken, so that they contain every entry of the earlier files.
      const deleteEarlier = journal.rotate()
      await deps.db.transaction().execute(async (tx) => {
        for (const { writer, snapshot } of changed)
          if (!(await saveSnapshot(tx, deps.nodeId, snapshot))) writer.end(createInterruption())
      })
      deleteEarlier()
    } catch (error) {
      for (const { writer } of changed) writer.markDirty()
      throw error
    } finally {
      isSaving = false
    }
  }

  /** Also once after the log has recovered, because it lacks what was shown in the meantime. */
  async function saveWithoutLog(): Promise<void> {
    const isFailing = deps.clusterLinks?.eventLog.isFailing ?? false
    if (isFailing || wasFailing) await save()
    wasFailing = isFailing
  }

  /** A reply whose lease cannot be extended was ended by another process: stop writing it. */
  async function renewLeases(): Promise<void> {
    const writers = [...running]
    const owned = await extendLeases(
      deps.db,
      deps.nodeId,
      writers.map(([id]) => id),
      deps.now(),
    )
    for (const [id, writer] of writers) if (!owned.has(id)) writer.end(createInterruption())
  }

  async function checkAccess(): Promise<void> {
    const writers = [...running.values()]
    const isAllowed = await checkReaders(
      deps,
      writers.map(({ task: { actor, reply } }) => ({ actor, chatId: reply.chat_id })),
    )
    for (const [index, writer] of writers.entries()) if (!isAllowed[index]) writer.end(createInterruption())
  }

  const saving = 'saving snapshots of replies'
  return {
    start() {
      if (timers.length > 0) return
      timers = [
        setInterval(() => attempt(saving, save), snapshotInterval),
        setInterval(() => attempt('checking the access of users', checkAccess), accessCheckInterval),
        setInterval(() => attempt('extending the leases of replies', renewLeases), leaseRenewalInterval),
      ]
      if (deps.clusterLinks !== null)
        timers.push(setInterval(() => attempt(saving, saveWithoutLog), snapshotIntervalWithoutLog))
    },
    save: () => attempt(saving, save),
    stop,
  }
}
