import { directoriesApi } from '@lyceum/contract/directories'
import { createAdmin, type TestUser } from './factories.ts'
import type { TestApp } from './test-app.ts'

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** A user or group, a list or an error. */
interface ScimBody {
  id: string
  externalId?: string
  userName?: string
  displayName?: string
  name?: Record<string, string>
  emails?: { value: string; type?: string }[]
  active?: boolean
  members?: { value: string }[]
  meta: { location: string; version: string }
  totalResults: number
  startIndex: number
  itemsPerPage: number
  Resources: ScimBody[]
  status?: string
  scimType?: string
  detail?: string
}

export interface ScimReply {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  body: ScimBody
}

/** The calls of a directory with one key. */
export function createScimCalls(app: TestApp, key: string) {
  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ScimReply> {
    const response = await app.raw({
      method,
      path: `/scim/v2${path}`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/scim+json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = response.bytes.toString('utf8')
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? {} : JSON.parse(text)) as ScimBody,
    }
  }
  function toPatch(operations: readonly object[]) {
    return { schemas: [patchSchema], Operations: operations }
  }
  return {
    send,
    createUser: (user: object) => send('POST', '/Users', { schemas: [userSchema], ...user }),
    patchUser: (id: string, ...operations: object[]) => send('PATCH', `/Users/${id}`, toPatch(operations)),
    createGroup: (group: object) => send('POST', '/Groups', { schemas: [groupSchema], ...group }),
    patchGroup: (id: string, ...operations: object[]) => send('PATCH', `/Groups/${id}`, toPatch(operations)),
    find: (type: 'Users' | 'Groups', filter: string) =>
      send('GET', `/${type}?filter=${encodeURIComponent(filter)}`),
  }
}

export type ScimCalls = ReturnType<typeof createScimCalls>

/** Connects a directory as a system administrator. */
export async function connectDirectory(
  app: TestApp,
  name = 'Entra ID',
): Promise<{ id: string; key: string; admin: TestUser; scim: ScimCalls }> {
  const admin = await createAdmin(app.deps, { isSystemAdmin: true })
  const { status, body } = await app.call(directoriesApi.create, { as: admin, body: { name } })
  if (status !== 200) throw new Error(`the directory was not connected: ${body.message}`)
  const { body: list } = await app.call(directoriesApi.list, { as: admin })
  const id = list.directories.at(-1)?._id ?? ''
  return { id, key: body.key, admin, scim: createScimCalls(app, body.key) }
}
