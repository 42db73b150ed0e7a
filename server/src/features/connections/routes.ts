import { connectionsApi } from '@lyceum/contract/connections'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { removeConnection, setEmbeddings, setMail, setModel, setReranking } from './change.ts'
import { presentConnections } from './present.ts'
import { checkConnection, tryEmbeddings, tryMail, tryModel, tryReranking } from './try-connection.ts'

export function connectionsRoutes(http: Http, deps: Deps): void {
  http.serve(connectionsApi.get, () => presentConnections(deps))
  http.serve(connectionsApi.setModel, ({ actor, body }) => setModel(deps, actor, body))
  http.serve(connectionsApi.testModel, ({ actor, body }) => tryModel(deps, actor, body))
  http.serve(connectionsApi.setEmbeddings, ({ actor, body }) => setEmbeddings(deps, actor, body))
  http.serve(connectionsApi.testEmbeddings, ({ actor, body }) => tryEmbeddings(deps, actor, body))
  http.serve(connectionsApi.setReranking, ({ actor, body }) => setReranking(deps, actor, body))
  http.serve(connectionsApi.testReranking, ({ actor, body }) => tryReranking(deps, actor, body))
  http.serve(connectionsApi.setMail, ({ actor, body }) => setMail(deps, actor, body))
  http.serve(connectionsApi.testMail, ({ actor, body }) => tryMail(deps, actor, body))
  http.serve(connectionsApi.check, ({ actor, params }) => checkConnection(deps, actor, params.part))
  http.serve(connectionsApi.remove, ({ actor, params }) => removeConnection(deps, actor, params.part))
}
