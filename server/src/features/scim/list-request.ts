import * as z from 'zod'
import { AppError } from '../../errors.ts'
import { type Filter, normalizeAttribute, parseFilter } from './filter.ts'

/** Resources in a page. */
export const pageMaximum = 100

const searchSchema = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** Which attributes a response contains. Names are in lower case. */
export interface Projection {
  attributes: ReadonlySet<string> | null
  excluded: ReadonlySet<string>
}

export interface ListRequest extends Projection {
  filter: Filter | null
  /** Begins at 1. */
  startIndex: number
  count: number
}

const names = z.union([z.string(), z.array(z.string()).transform((list) => list.join(','))])

const querySchema = z.object({
  filter: z.string().optional(),
  startIndex: z.coerce.number().int().max(100_000_000).optional(),
  count: z.coerce.number().int().optional(),
  attributes: names.optional(),
  excludedAttributes: names.optional(),
})

function toNames(text: string | undefined): Set<string> | null {
  const list = (text ?? '').split(',').map((name) => normalizeAttribute(name.trim()))
  const known = list.filter((name) => name !== '')
  return known.length === 0 ? null : new Set(known)
}

function parseQuery(query: unknown): z.output<typeof querySchema> {
  const parsed = querySchema.safeParse(query)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new AppError('scim.invalid_value', {
    message: `The parameter “${issue?.path.join('.')}” is not valid`,
  })
}

export function readProjection(query: unknown): Projection {
  const { attributes, excludedAttributes } = parseQuery(query)
  return { attributes: toNames(attributes), excluded: toNames(excludedAttributes) ?? new Set() }
}

export function readListRequest(query: unknown): ListRequest {
  const { filter, startIndex = 1, count = pageMaximum } = parseQuery(query)
  return {
    ...readProjection(query),
    filter: filter === undefined || filter.trim() === '' ? null : parseFilter(filter),
    startIndex: Math.max(1, startIndex),
    count: Math.min(Math.max(0, count), pageMaximum),
  }
}

/** The body of a search has the parameters of a list. */
export function readSearchRequest(body: unknown): ListRequest {
  const { schemas } = (body ?? {}) as { schemas?: unknown }
  if (!Array.isArray(schemas) || !schemas.includes(searchSchema))
    throw new AppError('scim.invalid_syntax', { message: `A search has the schema ${searchSchema}` })
  return readListRequest(body)
}

type Attributes = Readonly<Record<string, unknown>>

/** Names that a response contains whatever was asked for. */
const always = new Set(['schemas', 'id'])

function projectSubAttributes(value: unknown, keep: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => projectSubAttributes(item, keep))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => keep(name.toLowerCase())))
}

/** Leaves out what was not asked for. */
export function project(resource: Attributes, { attributes, excluded }: Projection): Attributes {
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]) => {
      const key = name.toLowerCase()
      if (always.has(key)) return [[name, value]]
      if (excluded.has(key)) return []
      if (attributes === null || attributes.has(key))
        return [[name, projectSubAttributes(value, (sub) => !excluded.has(`${key}.${sub}`))]]
      const hasSubAttribute = [...attributes].some((wanted) => wanted.startsWith(`${key}.`))
      if (!hasSubAttribute) return []
      return [[name, projectSubAttributes(value, (sub) => attributes.has(`${key}.${sub}`))]]
    }),
  )
}

/** Whether a response contains the attribute or a part of it. */
export function wants({ attributes, excluded }: Projection, name: string): boolean {
  if (excluded.has(name)) return false
  return attributes === null || [...attributes].some((wanted) => wanted.split('.', 1)[0] === name)
}

export function presentList(resources: readonly object[], total: number, startIndex: number) {
  return {
    schemas: [listSchema],
    totalResults: total,
    itemsPerPage: resources.length,
    startIndex,
    Resources: resources,
  }
}
