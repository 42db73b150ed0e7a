import { scimPath } from '@lyceum/contract/directories'
import type { KeyCall, KeyRoutes } from '#http/key-routes.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import type { DirectoryAccess } from '../directories/authenticate-directory.ts'
import { getScimUrl } from '../directories/directories.ts'
import { patchGroup, readGroup } from './group-input.ts'
import { changeGroup, createGroup, deleteGroup, getGroup, listGroups } from './groups.ts'
import {
  type ListRequest,
  presentList,
  project,
  readListRequest,
  readProjection,
  readSearchRequest,
} from './list-request.ts'
import { readOperations } from './message.ts'
import { readConditions, respond, respondEmpty, respondResource } from './responses.ts'
import { describeService, listResourceTypes, listSchemas } from './schemas.ts'
import { listAll } from './search-all.ts'
import { patchUser, readUser } from './user-input.ts'
import { changeUser, createUser, deleteUser, getUser, listUsers } from './users.ts'

type Call = KeyCall<DirectoryAccess>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Presented {
  resource: Record<string, unknown>
  version: string
  location: string
}

function requireId({ params }: Call): string {
  const { id } = params
  if (id === undefined) throw notFound()
  return id
}

function readTarget(call: Call) {
  return { id: requireId(call), conditions: readConditions(call.headers) }
}

/** Answers with a resource, as far as the caller wants it. */
function respondWith(call: Call, { resource, version, location }: Presented, isNew = false): Response {
  const body = project(resource, readProjection(call.query))
  if (isNew) return respondResource(body, { version, status: 201, headers: { location } })
  const conditions = call.body === undefined ? { conditions: readConditions(call.headers) } : {}
  return respondResource(body, { version, ...conditions })
}

async function respondList(
  request: ListRequest,
  list: (request: ListRequest) => Promise<{ total: number; resources: Record<string, unknown>[] }>,
): Promise<Response> {
  const { total, resources } = await list(request)
  const projected = resources.map((resource) => project(resource, request))
  return respond(presentList(projected, total, request.startIndex))
}

/** SCIM 2.0 (RFC 7643 and RFC 7644) for directories. */
export function scimRoutes(http: KeyRoutes<DirectoryAccess>, deps: Deps): void {
  function serve(method: Method, path: string, handler: (call: Call) => Promise<Response>): void {
    http.serve({ method, path: `${scimPath}${path}`, limit: 'directory' }, handler)
  }
  const scimUrl = getScimUrl(deps)

  function serveDescriptions(path: string, descriptions: readonly { id: string }[]): void {
    serve('GET', path, async ({ query }) => {
      if (query['filter'] !== undefined) throw new AppError('permission.denied')
      return respond(presentList(descriptions, descriptions.length, 1))
    })
    serve('GET', `${path}/:id`, async (call) => {
      const found = descriptions.find(({ id }) => id === requireId(call))
      if (!found) throw notFound()
      return respond(found)
    })
  }
  serve('GET', '/ServiceProviderConfig', async () => respond(describeService(scimUrl)))
  serveDescriptions('/ResourceTypes', listResourceTypes(scimUrl))
  serveDescriptions('/Schemas', listSchemas(scimUrl))

  serve('POST', '/.search', ({ access, body }) =>
    respondList(readSearchRequest(body), (request) => listAll(deps, access, request)),
  )

  serve('GET', '/Users', ({ access, query }) =>
    respondList(readListRequest(query), (request) => listUsers(deps, access, request)),
  )
  serve('POST', '/Users/.search', ({ access, body }) =>
    respondList(readSearchRequest(body), (request) => listUsers(deps, access, request)),
  )
  serve('POST', '/Users', async (call) =>
    respondWith(call, await createUser(deps, call.access, readUser(call.body, true)), true),
  )
  serve('GET', '/Users/:id', async (call) =>
    respondWith(call, await getUser(deps, call.access, requireId(call))),
  )
  serve('PUT', '/Users/:id', async (call) => {
    const changed = await changeUser(deps, call.access, readTarget(call), ({ isActive }) =>
      // A body that does not say it must not activate anyone.
      readUser(call.body, isActive),
    )
    return respondWith(call, changed)
  })
  serve('PATCH', '/Users/:id', async (call) => {
    const operations = readOperations(call.body)
    const changed = await changeUser(deps, call.access, readTarget(call), (user) =>
      patchUser(user, operations),
    )
    return respondWith(call, changed)
  })
  serve('DELETE', '/Users/:id', async (call) => {
    await deleteUser(deps, call.access, readTarget(call))
    return respondEmpty()
  })

  function findGroup(call: Call, id: string) {
    return getGroup(deps, call.access, id, readProjection(call.query))
  }
  serve('GET', '/Groups', ({ access, query }) =>
    respondList(readListRequest(query), (request) => listGroups(deps, access, request)),
  )
  serve('POST', '/Groups/.search', ({ access, body }) =>
    respondList(readSearchRequest(body), (request) => listGroups(deps, access, request)),
  )
  serve('POST', '/Groups', async (call) => {
    const id = await createGroup(deps, call.access, readGroup(call.body))
    return respondWith(call, await findGroup(call, id), true)
  })
  serve('GET', '/Groups/:id', async (call) => respondWith(call, await findGroup(call, requireId(call))))
  serve('PUT', '/Groups/:id', async (call) => {
    const { description, memberIds } = readGroup(call.body)
    const members = { replacesAll: true, added: new Set(memberIds), removed: new Set<string>() }
    const target = readTarget(call)
    await changeGroup(deps, call.access, target, () => ({ description, members }))
    return respondWith(call, await findGroup(call, target.id))
  })
  serve('PATCH', '/Groups/:id', async (call) => {
    const operations = readOperations(call.body)
    const target = readTarget(call)
    await changeGroup(deps, call.access, target, (group) => patchGroup(group, operations))
    // Without the members, which can be thousands.
    const { version } = await getGroup(deps, call.access, target.id, {
      attributes: null,
      excluded: new Set(['members']),
    })
    return respondEmpty({ etag: version })
  })
  serve('DELETE', '/Groups/:id', async (call) => {
    await deleteGroup(deps, call.access, readTarget(call))
    return respondEmpty()
  })
}

/** Paths of which only some methods are served. */
const knownPath = /^\/(?:ServiceProviderConfig|(?:ResourceTypes|Schemas|Users|Groups)(?:\/[^/]+)?)$/

/** What a request to a path gets that is not served with its method. */
export function refuseUnserved(url: string): never {
  const path = url.split('?', 1)[0]?.slice(scimPath.length) ?? ''
  throw knownPath.test(path) ? new AppError('method.not_allowed') : notFound()
}
