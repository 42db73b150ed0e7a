import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallInput, EndpointShape, ReplyOf } from '@lyceum/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import type { Pressure } from '#http/pressure.ts'
import { buildApp } from '../app.ts'
import type { Deps } from '../deps.ts'
import { readEnv } from '../env.ts'
import { stopReplies } from '../features/chats/replies/reply-manager.ts'
import { openDeps } from '../start.ts'
import { createWorker } from '../worker.ts'
import type { TestUser } from './factories.ts'
import type { TestBrowser } from './test-browser.ts'
import { createTestDatabase } from './test-database.ts'

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
  deps: Deps
  server: FastifyInstance
  served: ReadonlySet<EndpointShape>
  /** The data folder. */
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
  /** Starts listening on a free port at the first call; needed for streams. */
  url(): Promise<string>
  /** Runs jobs until none is due. */
  runJobs(): Promise<void>
  /** Moves the server's clock forward. */
  advance(ms: number): void
  /** Sets a stored file's modification time to the server's clock, which differs from the system clock. */
  touch(fileKey: string): Promise<void>
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

/** Fills the parameters and query into an endpoint's path. */
export function buildPath(
  endpoint: EndpointShape,
  params: Record<string, string> = {},
  query: Record<string, unknown> = {},
): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return `/api${path}${search.size > 0 ? `?${search}` : ''}`
}

function createAuthHeader(as: TestUser | null | undefined): Record<string, string> {
  return as ? { authorization: `Bearer ${as.token}` } : {}
}

/**
 * Every test server's clock starts at this noon, so that no test crosses the end of an hour, day or month, and no model
 * is retired in the meantime. The file system uses the system clock; see `touch`.
 */
const noon = Date.UTC(2026, 10, 18, 12)
const offsetToNoon = noon - Date.now()

/** Builds the complete server on an empty data folder and a real database. */
export async function buildTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-test-'))
  const database = await createTestDatabase(folder)
  const env = readEnv({
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_SCALE: '1000',
    BACKUP_EVERY: 'off',
    ...(database.url ? { DATABASE_URL: database.url } : {}),
    ...options.env,
  })
  let shift = offsetToNoon
  const startedAt = Date.now()
  const opened = await openDeps(env, () => (options.stopsClock ? startedAt : Date.now()) + shift)
  const deps: Deps = { ...opened.deps, ...options.deps }
  const stopping = new AbortController()
  const worker = createWorker(deps)
  const { server, served } = await buildApp(deps, {
    webFolder: join(folder, 'no-web'),
    stopping: stopping.signal,
    // Not measured, because the test keeps the event loop busy too.
    pressure: {
      waitMs: () => 0,
      nextTurn: async () => false,
      delayP99: () => 0,
      close: () => undefined,
      ...options.pressure,
    },
  })
  await server.ready()
  let listening: Promise<string> | undefined

  async function inject(
    method: string,
    url: string,
    headers: Record<string, string>,
    payload: string | Buffer | undefined,
    { browser, ip }: RequestOptions,
  ) {
    const response = await server.inject({
      method: method as 'GET',
      url,
      headers: { ...browser?.headers(), ...headers },
      ...(ip === undefined ? {} : { remoteAddress: ip }),
      ...(payload === undefined ? {} : { payload }),
    })
    browser?.storeCookies(response.headers['set-cookie'])
    return response
  }

  return {
    deps,
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
      listening ??= server.listen({ port: 0, host: '127.0.0.1' })
      return listening
    },
    runJobs: () => worker.runUntilIdle(),
    advance(ms) {
      shift += ms
    },
    async touch(fileKey) {
      const now = new Date(deps.now())
      await utimes(join(folder, 'blobs', fileKey.slice(0, 2), fileKey), now, now)
    },
    async close() {
      stopping.abort()
      await stopReplies(deps)
      await server.close()
      await worker.stop()
      await opened.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
