import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallInput, EndpointShape, ReplyOf } from '@lyceum/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import type { Pressure } from '#http/pressure.ts'
import type { Deps } from '../deps.ts'
import { buildPath } from './build-path.ts'
import type { TestUser } from './factories.ts'
import type { TestBrowser } from './test-browser.ts'
import { createTestDatabase } from './test-database.ts'
import { openTestNodes, type TestNode } from './test-node.ts'

export interface TestResponse<B> {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  /** The parsed JSON, typed as a success. An error has `code` and `message`. */
  body: B & { code?: string; message?: string; fields?: Record<string, string> }
  bytes: Buffer
}

interface RequestOptions {
  as?: TestUser | null
  headers?: Record<string, string>
  /** Sends this browser's cookies and stores the ones it receives. */
  browser?: TestBrowser
  /** The client's IP address; loopback by default. */
  ip?: string
}

export interface TestApp {
  /** Of the first server. */
  deps: Deps
  /** Of the server that runs jobs. */
  workerDeps: Deps
  server: FastifyInstance
  served: ReadonlySet<EndpointShape>
  /** The first server's data folder. */
  folder: string
  /** Calls an endpoint, signed in as `as` or not signed in. */
  call<E extends EndpointShape>(
    endpoint: E,
    input: CallInput<E> & RequestOptions,
  ): Promise<TestResponse<ReplyOf<E>>>
  /** Sends an arbitrary request, including ones no client would send. */
  raw(
    request: { method: string; path: string; body?: string | Buffer } & RequestOptions,
  ): Promise<TestResponse<unknown>>
  upload<E extends EndpointShape>(
    endpoint: E,
    input: {
      fields?: Record<string, string>
      file?: { name: string; content: Buffer | string }
      params?: Record<string, string>
    } & RequestOptions,
  ): Promise<TestResponse<ReplyOf<E>>>
  /** The address of the server whose turn it is, which listens from then on; needed for streams. */
  url(): Promise<string>
  /** From now on only the first server answers, for tests of what a server does by itself. */
  useFirstServer(): void
  /** Runs jobs until none is due. */
  runJobs(): Promise<void>
  /** Moves the server's clock forward. */
  advance(ms: number): void
  close(): Promise<void>
}

interface TestAppOptions {
  /** Time passes only through `advance`, so that waits do not depend on how busy the machine is. */
  stopsClock?: boolean
  /** Environment variables of the server. */
  env?: Record<string, string>
  /** Dependencies to replace, such as the assistant. */
  deps?: Partial<Deps>
  /** How far the server takes itself to be behind, in milliseconds; not at all by default. */
  pressure?: Partial<Pressure>
}

function toTestResponse<B>(response: {
  statusCode: number
  headers: TestResponse<B>['headers']
  rawPayload: Buffer
}): TestResponse<B> {
  const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json')
  return {
    status: response.statusCode,
    headers: response.headers,
    body: (isJson ? JSON.parse(response.rawPayload.toString('utf8')) : {}) as TestResponse<B>['body'],
    bytes: response.rawPayload,
  }
}

function createAuthHeader(as: TestUser | null | undefined): Record<string, string> {
  return as ? { authorization: `Bearer ${as.token}` } : {}
}

/**
 * Every test server's clock starts at this noon, so that no test crosses the end of an hour, day or month, and no model
 * is retired in the meantime. Stored files have the time of the system's clock.
 */
const noon = Date.UTC(2026, 10, 18, 12)
const offsetToNoon = noon - Date.now()

/**
 * Builds the complete server on an empty data folder and a real database. In some test runs these are several servers,
 * which take turns in answering.
 */
export async function buildTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-test-'))
  const database = await createTestDatabase(folder)
  let shift = offsetToNoon
  const startedAt = Date.now()
  const { web, worker, followConnections } = await openTestNodes({
    settings: { LOG_LEVEL: 'silent', RATE_LIMIT_SCALE: '1000', BACKUP_EVERY: 'off', ...options.env },
    folder,
    databaseUrl: database.url,
    now: () => (options.stopsClock ? startedAt : Date.now()) + shift,
    deps: options.deps ?? {},
    pressure: options.pressure ?? {},
  })
  const [{ deps, server, served }] = web
  const urls = new Map<TestNode, Promise<string>>()
  let requests = 0
  let usesFirst = false

  /** Returns the web servers in turn, as a load balancer does. */
  function nextNode(): TestNode {
    requests += 1
    return (usesFirst ? undefined : web[requests % web.length]) ?? web[0]
  }

  async function inject(
    method: string,
    url: string,
    headers: Record<string, string>,
    payload: string | Buffer | undefined,
    { browser, ip }: RequestOptions,
  ) {
    const response = await nextNode().server.inject({
      method: method as 'GET',
      url,
      headers: { ...browser?.headers(), ...headers },
      ...(ip === undefined ? {} : { remoteAddress: ip }),
      ...(payload === undefined ? {} : { payload }),
    })
    browser?.storeCookies(response.headers['set-cookie'])
    if (method !== 'GET' && url.startsWith('/api/settings/connections')) await followConnections()
    return response
  }

  return {
    deps,
    workerDeps: worker.deps,
    server,
    served,
    folder,
    async call(endpoint, input) {
      const { params, query, body } = input as {
        params?: Record<string, string>
        query?: object
        body?: unknown
      }
      const headers = {
        ...createAuthHeader(input.as),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...input.headers,
      }
      const url = buildPath(endpoint, params, query as Record<string, unknown>)
      return toTestResponse(
        await inject(
          endpoint.method,
          url,
          headers,
          body === undefined ? undefined : JSON.stringify(body),
          input,
        ),
      )
    },
    async raw({ method, path, body, ...requestOptions }) {
      const headers = { ...createAuthHeader(requestOptions.as), ...requestOptions.headers }
      return toTestResponse(await inject(method, path, headers, body, requestOptions))
    },
    async upload(endpoint, { fields = {}, file, params, ...requestOptions }) {
      const { as, headers } = requestOptions
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      const content = file && new Blob([new Uint8Array(Buffer.from(file.content))])
      if (file && content)
        form.append((endpoint as EndpointShape).upload?.field ?? 'file', content, file.name)
      const encoded = new Response(form)
      return toTestResponse(
        await inject(
          endpoint.method,
          buildPath(endpoint, params),
          { ...createAuthHeader(as), 'content-type': encoded.headers.get('content-type') ?? '', ...headers },
          Buffer.from(await encoded.arrayBuffer()),
          requestOptions,
        ),
      )
    },
    url() {
      const node = nextNode()
      const url = urls.get(node) ?? node.server.listen({ port: 0, host: '127.0.0.1' })
      urls.set(node, url)
      return url
    },
    useFirstServer() {
      usesFirst = true
    },
    runJobs: () => worker.worker.runUntilIdle(),
    advance(ms) {
      shift += ms
    },
    async close() {
      for (const node of new Set([...web, worker])) await node.stop()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
