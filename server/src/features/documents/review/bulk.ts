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
import { undoRejection } from './undo-rejection.ts'

/** The status codes that http/denials.ts audits. */
const auditedStatuses: ReadonlySet<number> = new Set([403, 404])
const maxAuditedIds = 20
const unexpectedMessage = 'This failed because of an unexpected error. Please try again.'

interface BulkOperation {
  permission: Permission
  /** The call for a single document. */
  endpoint: EndpointShape
  run: (
    deps: Deps,
    actor: Actor,
    id: string,
    input: { version: number | undefined; reason: string | undefined },
  ) => Promise<unknown>
}

const operations: Record<BulkAction, BulkOperation> = {
  approve: {
    permission: 'canApproveDocuments',
    endpoint: documentsApi.approve,
    run: (deps, actor, id, { version }) => approveDocument(deps, actor, id, version),
  },
  reject: { permission: 'canRejectDocuments', endpoint: documentsApi.reject, run: rejectDocument },
  'undo-reject': {
    permission: 'canRejectDocuments',
    endpoint: documentsApi.undoReject,
    run: (deps, actor, id, { version }) => undoRejection(deps, actor, id, version),
  },
  reindex: {
    permission: 'canReindexDocuments',
    endpoint: documentsApi.reindex,
    run: (deps, actor, id) => reindexDocument(deps, actor, id),
  },
  delete: {
    permission: 'canDeleteDocuments',
    endpoint: documentsApi.remove,
    run: (deps, actor, id) => removeDocument(deps, actor, id),
  },
}

interface Refusal {
  message: string
  status: number
}

/** Returns null on success, otherwise the reason. */
async function tryAction(deps: Deps, id: string, run: () => Promise<unknown>): Promise<Refusal | null> {
  try {
    await run()
    return null
  } catch (error) {
    if (error instanceof AppError) return { message: error.message, status: errors[error.code].status }
    // Other documents may already be done, so the response must still report them.
    deps.log.error({ err: error, documentId: id }, 'a bulk action failed for one document')
    return { message: unexpectedMessage, status: 500 }
  }
}

/** Each denied single call is audited. Here, all denials with the same status become one entry with a count. */
async function auditDenials(
  deps: Deps,
  actor: Actor,
  { method, path }: EndpointShape,
  denied: ReadonlyMap<number, string[]>,
): Promise<void> {
  for (const [status, ids] of denied)
    try {
      const params = { id: ids.slice(0, maxAuditedIds).join(', ') }
      await auditDenial(deps, { actor, call: `${method} ${path}`, status, params, count: ids.length })
    } catch (error) {
      // As in a single call, a denial that cannot be audited must not fail the request.
      deps.log.error({ err: error }, 'could not audit a denial')
    }
}

/** Processes the documents one after another, by the same rules as single calls. */
export async function runBulkAction(
  deps: Deps,
  actor: Actor,
  { action, ids, versions, reason }: BulkInput,
): Promise<BulkResult> {
  const { permission, endpoint, run } = operations[action]
  requirePermission(actor, permission)
  const versionsById = new Map(ids.map((id, index) => [id, versions?.[index]]))
  const titles = await findTitles(deps.db, [...versionsById.keys()])
  const result: BulkResult = { done: [], refused: [] }
  const denied = new Map<number, string[]>()
  for (const [id, version] of versionsById) {
    const refusal = await tryAction(deps, id, () => run(deps, actor, id, { version, reason }))
    if (refusal === null) {
      result.done.push(id)
      continue
    }
    result.refused.push({ _id: id, title: titles.get(id) ?? null, message: refusal.message })
    if (auditedStatuses.has(refusal.status))
      denied.set(refusal.status, [...(denied.get(refusal.status) ?? []), id])
  }
  await auditDenials(deps, actor, endpoint, denied)
  return result
}
