import type { Document } from '@lyceum/contract/documents'
import { uuidv7 } from 'uuidv7'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { requireDocument } from './access.ts'
import { indexDocument } from './jobs.ts'
import { presentDocument } from './present.ts'
import { decide, type Executor, indexStateOf, lockApproved, setIndexState, touchDocument } from './store.ts'

/** A build that was asked for this long ago and is not finished was lost; another may be asked for. */
const longestBuild = 30 * 60_000

const askForBuild = async (
  deps: Deps,
  tx: Parameters<Deps['jobs']['add']>[0],
  documentId: string,
  versionId: string,
): Promise<void> => {
  await setIndexState(tx, versionId, {
    index_state: 'waiting',
    index_percent: 0,
    index_attempts: 0,
    index_reason: null,
  })
  await deps.jobs.add(tx, indexDocument, { documentId, versionId, generation: uuidv7() })
}

const presented = async (deps: Deps, id: string): Promise<Document> =>
  presentDocument(await requireDocument(deps.db, id))

const decideOnce = async (
  deps: Deps,
  tx: Executor,
  actor: Actor,
  id: string,
  status: 'approved' | 'rejected',
): Promise<string> => {
  const decided = await decide(tx, id, { status, by: actor.userId, at: deps.now() })
  if (decided) return decided.version_id
  await requireDocument(tx, id)
  throw new AppError('document.not_pending')
}

/** Approval, approver and the job that indexes the document stand together or not at all. */
export const approveDocument = async (deps: Deps, actor: Actor, id: string): Promise<Document> => {
  await deps.db.transaction().execute(async (tx) => {
    const versionId = await decideOnce(deps, tx, actor, id, 'approved')
    await askForBuild(deps, tx, id, versionId)
    deps.faults.reach('approve.updated')
  })
  deps.faults.reach('approve.committed')
  return presented(deps, id)
}

export const rejectDocument = async (deps: Deps, actor: Actor, id: string): Promise<Document> => {
  await deps.db.transaction().execute(async (tx) => {
    await decideOnce(deps, tx, actor, id, 'rejected')
    deps.faults.reach('reject.updated')
  })
  deps.faults.reach('reject.committed')
  return presented(deps, id)
}

/** The present build answers until the new one is whole. While one is being made, asking again changes nothing. */
export const reindexDocument = async (deps: Deps, id: string): Promise<Document> => {
  await deps.db.transaction().execute(async (tx) => {
    const document = await lockApproved(tx, id)
    if (!document) {
      await requireDocument(tx, id)
      throw new AppError('document.not_approved')
    }
    const now = deps.now()
    const state = await indexStateOf(tx, document.version_id)
    const isFinished = state === 'ready' || state === 'failed'
    if (!isFinished && now - document.updated_at < longestBuild) return
    await touchDocument(tx, id, now)
    await askForBuild(deps, tx, id, document.version_id)
  })
  return presented(deps, id)
}
