import type { Deps } from '../../../deps.ts'
import { findStoredReplies } from './reply-store.ts'
import type { ReplyTask } from './reply-writer.ts'

const checkInterval = 2000
/** After this time, a COMMIT without an answer counts as failed, in milliseconds. */
const expiry = 60_000

export interface ExpectedReplies {
  add(task: ReplyTask): void
  remove(messageId: string): void
  find(messageId: string): ReplyTask | undefined
  stop(): void
}

/**
 * Replies whose rows are being stored. Normally a reply leaves within milliseconds, when its COMMIT is answered and it
 * starts. If the answer is lost, nobody knows whether the rows exist, so they are looked for: a reply that was stored
 * starts late, and one that never appears is forgotten.
 */
export function createExpectedReplies(deps: Deps, start: (task: ReplyTask) => void): ExpectedReplies {
  const expected = new Map<string, { task: ReplyTask; since: number }>()
  let timer: NodeJS.Timeout | undefined

  function remove(messageId: string): void {
    expected.delete(messageId)
    if (expected.size === 0) stop()
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  async function check(): Promise<void> {
    for (const id of await findStoredReplies(deps.db, [...expected.keys()])) {
      const found = expected.get(id)
      if (found) start(found.task)
    }
    for (const [id, { since }] of expected) if (performance.now() - since > expiry) remove(id)
  }

  return {
    add(task) {
      expected.set(task.reply.id, { task, since: performance.now() })
      timer ??= setInterval(() => {
        check().catch((error: unknown) => deps.log.warn({ err: error }, 'looking for stored replies failed'))
      }, checkInterval)
    },
    remove,
    find: (messageId) => expected.get(messageId)?.task,
    stop,
  }
}
