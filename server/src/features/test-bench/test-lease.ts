import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { testRunLeases } from './test-bench-store.ts'

interface TestLease {
  /** The id of the channel. */
  id: string
  owner: string
}

/** Runs a channel's questions, which only one request does at a time. */
export async function withTestLease<R>(
  deps: Deps,
  lease: TestLease,
  work: (lease: TestLease) => Promise<R>,
): Promise<R> {
  if (!(await testRunLeases.take(deps.db, lease, deps.now()))) throw new AppError('test.running')
  try {
    return await work(lease)
  } finally {
    await testRunLeases.release(deps.db, lease)
  }
}

/** Returns a function to be called before each question. It renews the lease from time to time. */
export function createLeaseKeeper(deps: Deps, lease: TestLease): () => Promise<void> {
  let renewAt = deps.now() + testRunLeases.duration / 3
  return async () => {
    const now = deps.now()
    if (now < renewAt) return
    if (!(await testRunLeases.renew(deps.db, lease, now))) throw new AppError('test.running')
    renewAt = now + testRunLeases.duration / 3
  }
}
