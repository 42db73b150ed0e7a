import type { BulkAction, BulkInput, BulkResult } from '@lyceum/contract/documents'
import type { Permission } from '@lyceum/contract/permissions'
import { type Actor, requirePermission } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { removeDocument } from './documents.ts'
import { approveDocument, reindexDocument, rejectDocument } from './review.ts'
import { findTitles } from './store.ts'

const unexpectedWords = 'This could not be done because of an unexpected fault. Please try again.'

interface Deed {
  flag: Permission
  run: (deps: Deps, actor: Actor, id: string, version: number | undefined) => Promise<unknown>
}

const deeds: Record<BulkAction, Deed> = {
  approve: { flag: 'canApproveDocuments', run: approveDocument },
  reject: { flag: 'canRejectDocuments', run: rejectDocument },
  reindex: { flag: 'canReindexDocuments', run: (deps, actor, id) => reindexDocument(deps, actor, id) },
  delete: { flag: 'canDeleteDocuments', run: (deps, actor, id) => removeDocument(deps, actor, id) },
}

/** Null when it was done, otherwise why not, in words. */
const attempt = async (deps: Deps, id: string, run: () => Promise<unknown>): Promise<string | null> => {
  try {
    await run()
    return null
  } catch (error) {
    if (error instanceof AppError) return error.message
    // What was done for the others stands, so that they must be told of nonetheless.
    deps.log.error({ err: error, documentId: id }, 'a document was left out of a bulk action')
    return unexpectedWords
  }
}

/** Each document for itself and one after another, decided as by its own call. */
export const actOnDocuments = async (
  deps: Deps,
  actor: Actor,
  { action, ids, versions }: BulkInput,
): Promise<BulkResult> => {
  const { flag, run } = deeds[action]
  requirePermission(actor, flag)
  const seen = new Map(ids.map((id, at) => [id, versions?.[at]]))
  const titles = await findTitles(deps.db, [...seen.keys()])
  const result: BulkResult = { done: [], refused: [] }
  for (const [id, version] of seen) {
    const message = await attempt(deps, id, () => run(deps, actor, id, version))
    if (message === null) result.done.push(id)
    else result.refused.push({ _id: id, title: titles.get(id) ?? null, message })
  }
  return result
}
