import { analyticsApi } from '@lyceum/contract/analytics'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { getAnalytics, pageChannelFigures, pageCitedDocuments } from './analytics.ts'
import { exportTable } from './export.ts'
import { listUnansweredQuestions, resolveQuestion } from './questions.ts'
import { getCheckUsage } from './usage.ts'

export function analyticsRoutes(http: Http, deps: Deps): void {
  http.serve(analyticsApi.get, ({ query }) => getAnalytics(deps, query))
  http.serve(analyticsApi.channels, ({ query }) => pageChannelFigures(deps, query))
  http.serve(analyticsApi.documents, ({ query }) => pageCitedDocuments(deps, query))
  http.serve(analyticsApi.questions, ({ actor, query }) => listUnansweredQuestions(deps, actor, query))
  http.serve(analyticsApi.resolve, ({ actor, params, body }) =>
    resolveQuestion(deps, actor, params.id, body.isResolved),
  )
  http.serve(analyticsApi.export, ({ actor, query, recheck }) => exportTable(deps, actor, query, recheck))
  http.serve(analyticsApi.checkUsage, ({ actor, params }) => getCheckUsage(deps, actor, params.id))
}
