import { documentsApi } from '@lyceum/contract/documents'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { readDocumentText } from './document-text.ts'
import {
  downloadDocument,
  getDocument,
  getStorageUse,
  listMatchingDocuments,
  removeDocument,
} from './documents.ts'
import { cleanUpOrphans } from './indexing/orphans.ts'
import { runBulkAction } from './review/bulk.ts'
import { approveDocument, reindexDocument, rejectDocument } from './review/review.ts'
import { undoRejection } from './review/undo-rejection.ts'
import { listOwnProposals, proposeDocument, withdrawProposal } from './upload/proposals.ts'
import { uploadDocument } from './upload/upload.ts'
import { listPresentedVersions, replaceDocument } from './versions/versions.ts'

function proposalsRoutes(http: Http, deps: Deps): void {
  http.serve(documentsApi.propose, ({ actor, params, file, idempotencyKey }) =>
    proposeDocument(deps, actor, params.id, { file, idempotencyKey }),
  )
  http.serve(documentsApi.proposals, ({ actor, params }) => listOwnProposals(deps, actor, params.id))
  http.serve(documentsApi.withdraw, ({ actor, params }) =>
    withdrawProposal(deps, actor, params.id, params.documentId),
  )
}

export function documentsRoutes(http: Http, deps: Deps): void {
  http.serve(documentsApi.list, ({ query }) => listMatchingDocuments(deps, query))
  http.serve(documentsApi.get, ({ params }) => getDocument(deps, params.id))
  http.serve(documentsApi.upload, ({ actor, file, fields, idempotencyKey }) =>
    uploadDocument(deps, actor, { file, fields, idempotencyKey }),
  )
  http.serve(documentsApi.storage, () => getStorageUse(deps))
  http.serve(documentsApi.bulk, ({ actor, body }) => runBulkAction(deps, actor, body))
  http.serve(documentsApi.versions, ({ params }) => listPresentedVersions(deps, params.id))
  http.serve(documentsApi.replace, ({ actor, params, file, idempotencyKey }) =>
    replaceDocument(deps, actor, params.id, { file, idempotencyKey }),
  )
  http.serve(documentsApi.approve, ({ actor, params, query }) =>
    approveDocument(deps, actor, params.id, query.version),
  )
  http.serve(documentsApi.reject, ({ actor, params, query, body }) =>
    rejectDocument(deps, actor, params.id, { ...query, ...body }),
  )
  http.serve(documentsApi.undoReject, ({ actor, params, query }) =>
    undoRejection(deps, actor, params.id, query.version),
  )
  http.serve(documentsApi.reindex, ({ actor, params }) => reindexDocument(deps, actor, params.id))
  http.serve(documentsApi.download, ({ actor, params, query }) =>
    downloadDocument(deps, actor, params.id, query.version),
  )
  http.serve(documentsApi.text, ({ actor, params, query }) => readDocumentText(deps, actor, params.id, query))
  http.serve(documentsApi.remove, ({ actor, params }) => removeDocument(deps, actor, params.id))
  http.serve(documentsApi.cleanupOrphaned, ({ actor }) => cleanUpOrphans(deps, actor))
  proposalsRoutes(http, deps)
}
