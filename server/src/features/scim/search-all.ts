import type { Deps } from '../../deps.ts'
import type { DirectoryAccess } from '../directories/authenticate-directory.ts'
import { listGroups } from './groups.ts'
import type { ListRequest } from './list-request.ts'
import { listUsers } from './users.ts'

/** Users and groups as one list, users first. A filter can name only attributes that both have. */
export async function listAll(deps: Deps, access: DirectoryAccess, request: ListRequest) {
  const users = await listUsers(deps, access, request)
  const groups = await listGroups(deps, access, {
    ...request,
    startIndex: Math.max(1, request.startIndex - users.total),
    count: request.count - users.resources.length,
  })
  return {
    total: users.total + groups.total,
    resources: [...users.resources, ...groups.resources],
  }
}
