import { setImmediate } from 'node:timers/promises'
import type { EndpointShape } from '@lyceum/contract/endpoint'
import { errorReply } from '@lyceum/contract/error-reply'
import * as z from 'zod'

type Json = Record<string, unknown>

function toJsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return rest
}

function describeParameters(schema: z.core.$ZodType | undefined, where: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input') as {
    properties?: Json
    required?: string[]
  }
  return Object.entries(properties).map(([name, described]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: described,
  }))
}

function describeRequestBody({ body, upload, isForm }: EndpointShape): Json | undefined {
  if (upload) {
    const fields = toJsonSchema(upload.fields, 'input') as { properties?: Json; required?: string[] }
    const schema = {
      ...fields,
      properties: { [upload.field]: { type: 'string', format: 'binary' }, ...fields.properties },
      required: [upload.field, ...(fields.required ?? [])],
    }
    return { required: true, content: { 'multipart/form-data': { schema } } }
  }
  if (!body) return undefined
  const schema = toJsonSchema(body, 'input') as { required?: string[] }
  // A missing body counts as an empty object.
  const required = (schema.required ?? []).length > 0
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  return { required, content: { [type]: { schema } } }
}

function describeResponses({ reply, contentTypes = [], events }: EndpointShape): Json {
  if (reply === 'none') return { 204: { description: 'Done' } }
  const content: Json =
    reply === 'file'
      ? Object.fromEntries(
          contentTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
        )
      : { 'application/json': { schema: toJsonSchema(reply, 'output') } }
  if (events) content['text/event-stream'] = { schema: toJsonSchema(events, 'output') }
  return { 200: { description: 'Done', content } }
}

function describeOperation(endpoint: EndpointShape, isServed: boolean): Json {
  const body = describeRequestBody(endpoint)
  const isPublic = endpoint.access === 'public'
  return {
    summary: endpoint.summary,
    'x-access': endpoint.access,
    // Listed so that clients can be written against the whole API. The server returns 404 until it is implemented.
    ...(isServed ? {} : { 'x-available': false, description: 'Not yet available in this version.' }),
    security: isPublic ? [] : [{ session: [] }],
    parameters: [
      ...describeParameters(endpoint.params, 'path'),
      ...describeParameters(endpoint.query, 'query'),
    ],
    ...(body ? { requestBody: body } : {}),
    responses: { ...describeResponses(endpoint), default: { $ref: '#/components/responses/Error' } },
  }
}

/**
 * Describes the API as OpenAPI 3.1, from the same declarations that the server binds. This takes up to a tenth of a
 * second in all, so other requests get a turn after each endpoint.
 */
export async function describeApi(
  declared: readonly EndpointShape[],
  served: ReadonlySet<EndpointShape>,
): Promise<Json> {
  const paths: Record<string, Json> = {}
  for (const endpoint of declared) {
    const path = `/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: describeOperation(endpoint, served.has(endpoint)),
    }
    await setImmediate()
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Lyceum', version: '0.1.0' },
    paths,
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
      responses: {
        Error: {
          description: 'An error with its code and message',
          content: { 'application/json': { schema: toJsonSchema(errorReply, 'output') } },
        },
      },
    },
  }
}
