import { chatHistoryApi } from '@lyceum/contract/chat-history'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { listChannelHistories, listHistories, listUserHistories, readHistory } from './chat-history.ts'
import { exportHistories } from './export-history.ts'
import { listChannelSummaries, listUserSummaries } from './summaries.ts'

export function chatHistoryRoutes(http: Http, deps: Deps): void {
  http.serve(chatHistoryApi.list, ({ actor, query }) => listHistories(deps, actor, query))
  http.serve(chatHistoryApi.search, ({ actor, query }) => listHistories(deps, actor, query))
  http.serve(chatHistoryApi.listForUser, ({ actor, params, query }) =>
    listUserHistories(deps, actor, params.id, query),
  )
  http.serve(chatHistoryApi.listForChannel, ({ actor, params, query }) =>
    listChannelHistories(deps, actor, params.id, query),
  )
  http.serve(chatHistoryApi.get, ({ actor, params, query }) => readHistory(deps, actor, params.id, query))
  http.serve(chatHistoryApi.export, ({ actor, query, recheck }) =>
    exportHistories(deps, actor, query, recheck),
  )
  http.serve(chatHistoryApi.userSummaries, ({ actor, query }) => listUserSummaries(deps, actor, query))
  http.serve(chatHistoryApi.channelSummaries, ({ actor, query }) => listChannelSummaries(deps, actor, query))
}
