import { documentsApi } from '@lyceum/contract/documents'
import { testQuestionsApi } from '@lyceum/contract/test-questions'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { readDocumentText } from './document-text.ts'
import { documentById, documentsMatching, downloadDocument, removeDocument } from './documents.ts'
import { cleanUpOrphans } from './orphans.ts'
import { approveDocument, reindexDocument, rejectDocument } from './review.ts'
import { runTestQuestions, testBenchOf, testRunById, tryQuestion } from './test-bench.ts'
import { addTestQuestion, changeTestQuestion, removeTestQuestion } from './test-questions.ts'
import { uploadDocument } from './upload.ts'

const testQuestionsRoutes = (http: Http, deps: Deps): void => {
  http.serve(testQuestionsApi.list, ({ actor, params }) => testBenchOf(deps, actor, params.id))
  http.serve(testQuestionsApi.add, ({ actor, params, body }) => addTestQuestion(deps, actor, params.id, body))
  http.serve(testQuestionsApi.update, ({ actor, params: { id, questionId }, body }) =>
    changeTestQuestion(deps, actor, { channelId: id, questionId }, body),
  )
  http.serve(testQuestionsApi.remove, ({ actor, params: { id, questionId } }) =>
    removeTestQuestion(deps, actor, { channelId: id, questionId }),
  )
  http.serve(testQuestionsApi.run, ({ actor, params, body }) =>
    runTestQuestions(deps, actor, params.id, body.note),
  )
  http.serve(testQuestionsApi.getRun, ({ actor, params }) =>
    testRunById(deps, actor, params.id, params.runId),
  )
  http.serve(testQuestionsApi.try, ({ actor, params, body }) =>
    tryQuestion(deps, actor, params.id, body.question),
  )
}

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
  testQuestionsRoutes(http, deps)
}
