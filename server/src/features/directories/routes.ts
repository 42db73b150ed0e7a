import { directoriesApi } from '@lyceum/contract/directories'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { createDirectory, listDirectories, removeDirectory, replaceKey, revokeKey } from './directories.ts'

export function directoriesRoutes(http: Http, deps: Deps): void {
  http.serve(directoriesApi.list, () => listDirectories(deps))
  http.serve(directoriesApi.create, ({ actor, body }) => createDirectory(deps, actor, body))
  http.serve(directoriesApi.replaceKey, ({ actor, params }) => replaceKey(deps, actor, params.id))
  http.serve(directoriesApi.revokeKey, ({ actor, params }) => revokeKey(deps, actor, params.id))
  http.serve(directoriesApi.remove, ({ actor, params }) => removeDirectory(deps, actor, params.id))
}
