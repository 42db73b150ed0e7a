import { createHash } from 'node:crypto'
import { AppError } from '../../errors.ts'

export const scimType = 'application/scim+json; charset=utf-8'

interface ResponseOptions {
  status?: number
  headers?: Record<string, string>
}

export function respond(body: object, { status = 200, headers = {} }: ResponseOptions = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': scimType, ...headers } })
}

export function respondEmpty(headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 204, headers })
}

/** A weak ETag: it stays the same while what it is made of does. */
export function createVersion(parts: unknown): string {
  return `W/"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)}"`
}

/** The headers of a request that compare versions. */
export interface Conditions {
  ifMatch: string | null
  ifNoneMatch: string | null
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

export function readConditions(headers: Headers): Conditions {
  return {
    ifMatch: headers['if-match']?.toString() ?? null,
    ifNoneMatch: headers['if-none-match']?.toString() ?? null,
  }
}

function names(header: string, version: string): boolean {
  return (
    header.trim() === '*' ||
    header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === version.slice(2))
  )
}

/** Refuses a change of a resource that is not as the caller knows it. */
export function requireVersion({ ifMatch }: Conditions, version: string): void {
  if (ifMatch !== null && !names(ifMatch, version)) throw new AppError('scim.changed')
}

/** The resource, or nothing if the caller has this version. */
export function respondResource(
  resource: object,
  { version, conditions, ...options }: ResponseOptions & { version: string; conditions?: Conditions },
): Response {
  const headers = { etag: version, ...options.headers }
  const { ifNoneMatch = null } = conditions ?? {}
  if (ifNoneMatch !== null && names(ifNoneMatch, version)) return new Response(null, { status: 304, headers })
  return respond(resource, { ...options, headers })
}
