import { analyticsApi } from '@lyceum/contract/analytics'
import { endpoints } from '@lyceum/contract/api'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import type { EndpointShape } from '@lyceum/contract/endpoint'
import { usersApi } from '@lyceum/contract/users'
import { describe, expect, it } from 'vitest'
import { describeApi } from './openapi.ts'

interface Schema {
  properties?: Record<string, Schema>
  pattern?: string
  allOf?: Schema[]
}
interface Operation {
  parameters: { name: string; schema: Schema }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, unknown> }>
}

const { paths } = (await describeApi(endpoints, new Set(endpoints))) as {
  paths: Record<string, Record<string, Operation>>
}

function find({ method, path }: EndpointShape): Operation {
  const operation = paths[`/api${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()]
  if (!operation) throw new Error(`${method} ${path} is not described`)
  return operation
}

function listTypes(endpoint: EndpointShape): string[] {
  return Object.keys(find(endpoint).responses['200']?.content ?? {})
}

function findField(endpoint: EndpointShape, name: string): Schema | undefined {
  return find(endpoint).requestBody?.content['application/json']?.schema.properties?.[name]
}

function findParameter(endpoint: EndpointShape, name: string): Schema | undefined {
  return find(endpoint).parameters.find((parameter) => parameter.name === name)?.schema
}

function listPatterns({ pattern, allOf = [] }: Schema = {}): RegExp[] {
  return [...(pattern === undefined ? [] : [new RegExp(pattern, 'u')]), ...allOf.flatMap(listPatterns)]
}

function matches(schema: Schema | undefined, text: string): boolean {
  const patterns = listPatterns(schema)
  expect(patterns).not.toEqual([])
  return patterns.every((pattern) => pattern.test(text))
}

describe('the description of the API', () => {
  it('names the types of files', () => {
    for (const endpoint of endpoints as readonly EndpointShape[])
      if (endpoint.reply === 'file') expect(listTypes(endpoint), endpoint.path).not.toEqual([])
    expect(listTypes(analyticsApi.export)).toEqual(['text/csv'])
    expect(listTypes(chatsApi.export)).toEqual(['text/markdown', 'application/json'])
    expect(listTypes(documentsApi.download)).toContain('application/pdf')
  })

  it('requires a body only where something in it is required', () => {
    expect(find(chatsApi.send).requestBody?.required).toBe(true)
    expect(find(chatsApi.create).requestBody?.required).toBe(false)
    expect(find(usersApi.update).requestBody?.required).toBe(false)
  })

  it('contains the patterns that the server enforces', () => {
    const message = findField(chatsApi.send, 'message')
    expect([matches(message, 'Hello'), matches(message, ' \u200b')]).toEqual([true, false])
    const title = findField(chatsApi.rename, 'title')
    expect([matches(title, 'A title'), matches(title, ' '), matches(title, 'A\u202etitle')]).toEqual([
      true,
      false,
      false,
    ])
    const day = findParameter(analyticsApi.export, 'from')
    expect([matches(day, '2026-11-23'), matches(day, 'yesterday')]).toEqual([true, false])
    const date = findParameter(chatHistoryApi.export, 'startDate')
    expect([matches(date, '2026-11-23T10:00Z'), matches(date, '2026-11-23 10:00')]).toEqual([true, false])
  })
})
