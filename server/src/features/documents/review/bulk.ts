import { type BulkAction, type BulkInput, type BulkResult, documentsApi } from '@lyceum/contract/documents'
import type { EndpointShape } from '@lyceum/contract/endpoint'
import { errors } from '@lyceum/contract/errors'
import type { Permission } from '@lyceum/contract/permissions'
import { type Actor, requirePermission } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { auditDenial } from '../../audit/audit-denial.ts'
import { removeDocument } from '../documents.ts'
import { findTitles } from '../store.ts'
import { approveDocument, reindexDocument, rejectDocument } from './review.ts'

/** The status codes that http/denials.ts audits. */
const denials: ReadonlySet<number> = new Set([403, 404])
/** How many document ids an audit entry names at most. */
const idsEntered = 20
const unexpectedWords = 'This could not be done because of an unexpected fault. Please try again.'

interface Deed {
  flag: Permission
  /** The endpoint that does the same for one document. */
  call: EndpointShape
  run: (deps: Deps, actor: Actor, id: string, version: number | undefined) => Promise<unknown>
}

const deeds: Record<BulkAction, Deed> = {
  approve: { flag: 'canApproveDocuments', call: documentsApi.approve, run: approveDocument },
  reject: { flag: 'canRejectDocuments', call: documentsApi.reject, run: rejectDocument },
  reindex: {
    flag: 'canReindexDocuments',
    call: documentsApi.reindex,
    run: (deps, actor, id) => reindexDocument(deps, actor, id),
  },
  delete: {
    flag: 'canDeleteDocuments',
    call: documentsApi.remove,
    run: (deps, actor, id) => removeDocument(deps, actor, id),
  },
}

interface Refusal {
  message: string
  status: number
}

/** Returns null on success, otherwise the reason. */
async function attempt(deps: Deps, id: string, run: () => Promise<unknown>): Promise<Refusal | null> {
  try {
    await run()
    return null
  } catch (error) {
    if (error instanceof AppError) return { message: error.message, status: errors[error.code].status }
    // Other documents may already be done, so the response must still report them.
    deps.log.error({ err: error, documentId: id }, 'a document was left out of a bulk action')
    return { message: unexpectedWords, status: 500 }
  }
}

/** A single call audits its denial. Here, all denials with the same status become one entry with a count. */
async function enterDenials(
  deps: Deps,
  actor: Actor,
  { method, path }: EndpointShape,
  denied: ReadonlyMap<number, string[]>,
): Promise<void> {
  for (const [status, ids] of denied)
    try {
      const params = { id: ids.slice(0, idsEntered).join(', ') }
      await auditDenial(deps, { actor, call: `${method} ${path}`, status, params, count: ids.length })
    } catch (error) {
      // As in a single call, a denial that cannot be audited must not fail the request.
      deps.log.error({ err: error }, 'a refusal could not be entered')
    }
}

/** Processes the documents one after another, each by the same rules as in a call of its own. */
export async function actOnDocuments(
  deps: Deps,
  actor: Actor,
  { action, ids, versions }: BulkInput,
): Promise<BulkResult> {
  const { flag, call, run } = deeds[action]
  requirePermission(actor, flag)
  const seen = new Map(ids.map((id, at) => [id, versions?.[at]]))
  const titles = await findTitles(deps.db, [...seen.keys()])
  const result: BulkResult = { done: [], refused: [] }
  const denied = new Map<number, string[]>()
  for (const [id, version] of seen) {
    const refusal = await attempt(deps, id, () => run(deps, actor, id, version))
    if (refusal === null) {
      result.done.push(id)
      continue
    }
    result.refused.push({ _id: id, title: titles.get(id) ?? null, message: refusal.message })
    if (denials.has(refusal.status)) denied.set(refusal.status, [...(denied.get(refusal.status) ?? []), id])
  }
  await enterDenials(deps, actor, call, denied)
  return result
}
