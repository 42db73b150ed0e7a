import { analyticsApi } from '@lyceum/contract/analytics'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { analyticsOf, channelFigures, citedDocuments } from './analytics.ts'
import { exportTable } from './export.ts'
import { resolve, unansweredQuestions } from './questions.ts'

export function analyticsRoutes(http: Http, deps: Deps): void {
  http.serve(analyticsApi.get, ({ query }) => analyticsOf(deps, query))
  http.serve(analyticsApi.channels, ({ query }) => channelFigures(deps, query))
  http.serve(analyticsApi.documents, ({ query }) => citedDocuments(deps, query))
  http.serve(analyticsApi.questions, ({ actor, query }) => unansweredQuestions(deps, actor, query))
  http.serve(analyticsApi.resolve, ({ actor, params, body }) =>
    resolve(deps, actor, params.id, body.isResolved),
  )
  http.serve(analyticsApi.export, ({ actor, query, recheck }) => exportTable(deps, actor, query, recheck))
}
