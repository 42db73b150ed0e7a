import { documentsApi } from '@lyceum/contract/documents'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { readDocumentText } from './document-text.ts'
import { documentById, documentsMatching, downloadDocument, removeDocument } from './documents.ts'
import { cleanUpOrphans } from './orphans.ts'
import { approveDocument, reindexDocument, rejectDocument } from './review.ts'
import { uploadDocument } from './upload.ts'

export const documentsRoutes = (http: Http, deps: Deps): void => {
  http.serve(documentsApi.list, ({ query }) => documentsMatching(deps, query))
  http.serve(documentsApi.get, ({ params }) => documentById(deps, params.id))
  http.serve(documentsApi.upload, ({ actor, file, fields, idempotencyKey }) =>
    uploadDocument(deps, actor, { file, fields, idempotencyKey }),
  )
  http.serve(documentsApi.approve, ({ actor, params }) => approveDocument(deps, actor, params.id))
  http.serve(documentsApi.reject, ({ actor, params }) => rejectDocument(deps, actor, params.id))
  http.serve(documentsApi.reindex, ({ params }) => reindexDocument(deps, params.id))
  http.serve(documentsApi.download, ({ actor, params }) => downloadDocument(deps, actor, params.id))
  http.serve(documentsApi.text, ({ actor, params, query }) =>
    readDocumentText(deps, actor, params.id, query.start ?? 0),
  )
  http.serve(documentsApi.remove, ({ params }) => removeDocument(deps, params.id))
  http.serve(documentsApi.cleanupOrphaned, () => cleanUpOrphans(deps))
}
