import { join } from 'node:path'
import multipart from '@fastify/multipart'
import { endpoints } from '@lyceum/contract/api'
import { imageMaxBytes } from '@lyceum/contract/channels'
import { scimPath } from '@lyceum/contract/directories'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { createLimitedServer } from '#http/connections.ts'
import { allowOrigins } from '#http/cors.ts'
import { createDenials, recordDenials } from '#http/denials.ts'
import { serveDocuments } from '#http/documents.ts'
import { serveEmbedPages } from '#http/embed-pages.ts'
import { createHttp, type Http, type HttpOptions } from '#http/endpoint.ts'
import { createErrorHandler, handleError } from '#http/error-handler.ts'
import { createSecurityHeadersHook } from '#http/headers.ts'
import { serveHealth } from '#http/health.ts'
import { requireOneHost } from '#http/host.ts'
import { acceptForms, acceptJson } from '#http/json-body.ts'
import { createKeyRoutes } from '#http/key-routes.ts'
import { type Load, limitLoad } from '#http/load.ts'
import { handleUnmatched } from '#http/not-found.ts'
import { limitOpenBodies } from '#http/open-bodies.ts'
import { describeApi } from '#http/openapi.ts'
import { type Pressure, watchPressure } from '#http/pressure.ts'
import { createRateLimiter, type RateLimiter } from '#http/rate-limit.ts'
import { serveSecurityTxt } from '#http/security-txt.ts'
import { serveWeb } from '#http/web.ts'
import { parseAddress } from '#lib/network.ts'
import { requireBackups } from './backup/state.ts'
import { createNodeChecks, createNodeWarnings } from './cluster/readiness.ts'
import type { Deps } from './deps.ts'
import { notFound } from './errors.ts'
import { analyticsRoutes } from './features/analytics/routes.ts'
import { authenticateKey } from './features/api-keys/authenticate-key.ts'
import { apiKeysRoutes } from './features/api-keys/routes.ts'
import { assistantsRoutes } from './features/assistants/routes.ts'
import { auditDenial } from './features/audit/audit-denial.ts'
import { auditRoutes } from './features/audit/routes.ts'
import { authenticate, isStillAllowed } from './features/auth/authenticate.ts'
import { authRoutes } from './features/auth/routes.ts'
import { channelsRoutes } from './features/channels/routes.ts'
import { chatHistoryRoutes } from './features/chat-history/routes.ts'
import { chatsRoutes } from './features/chats/routes.ts'
import { authenticateToken } from './features/connected-programs/authenticate-token.ts'
import { buildOauthErrorBody } from './features/connected-programs/error-body.ts'
import { buildChallenge, listMetadata } from './features/connected-programs/metadata.ts'
import { connectedProgramsRoutes, oauthRoutes } from './features/connected-programs/routes.ts'
import { connectionsRoutes } from './features/connections/routes.ts'
import { authenticateDirectory } from './features/directories/authenticate-directory.ts'
import { directoriesRoutes } from './features/directories/routes.ts'
import { requireSearch } from './features/documents/indexing/index-status.ts'
import { documentsRoutes } from './features/documents/routes.ts'
import { embeddingRoutes } from './features/embedding/routes.ts'
import { listSites } from './features/embedding/sign-ins.ts'
import { getStartedRoutes } from './features/get-started/routes.ts'
import { groupsRoutes } from './features/groups/routes.ts'
import { invitationsRoutes } from './features/invitations/routes.ts'
import { mcpRoutes } from './features/mcp/routes.ts'
import { buildErrorBody } from './features/openai-api/error-body.ts'
import { openaiApiRoutes } from './features/openai-api/routes.ts'
import { overviewRoutes } from './features/overview/routes.ts'
import { quotasRoutes } from './features/quotas/routes.ts'
import { scimType } from './features/scim/responses.ts'
import { refuseUnserved, scimRoutes } from './features/scim/routes.ts'
import { buildScimError } from './features/scim/scim-error.ts'
import { settingsRoutes } from './features/settings/routes.ts'
import { singleSignOnRoutes } from './features/single-sign-on/routes.ts'
import { statusRoutes } from './features/status/routes.ts'
import { testBenchRoutes } from './features/test-bench/routes.ts'
import { usersRoutes } from './features/users/routes.ts'
import { webhooksRoutes } from './features/webhooks/routes.ts'
import { spoolName } from './files/data-folder.ts'

const features: readonly ((http: Http, deps: Deps) => void)[] = [
  authRoutes,
  invitationsRoutes,
  channelsRoutes,
  groupsRoutes,
  documentsRoutes,
  testBenchRoutes,
  chatsRoutes,
  chatHistoryRoutes,
  quotasRoutes,
  assistantsRoutes,
  settingsRoutes,
  statusRoutes,
  connectionsRoutes,
  singleSignOnRoutes,
  directoriesRoutes,
  getStartedRoutes,
  overviewRoutes,
  usersRoutes,
  apiKeysRoutes,
  connectedProgramsRoutes,
  embeddingRoutes,
  analyticsRoutes,
  auditRoutes,
  webhooksRoutes,
]

/** Throws at startup if a route has no access policy. */
function requirePolicies(app: FastifyInstance): void {
  app.addHook('onRoute', ({ config, method, url }) => {
    const access = (config as { access?: unknown } | undefined)?.access
    const isStatic = url === '/*' || url === '/'
    if (access === undefined && !isStatic) throw new Error(`${String(method)} ${url} has no access policy`)
  })
}

function logRequests(app: FastifyInstance, deps: Deps): void {
  app.addHook('onResponse', async (request, reply) => {
    deps.log.info(
      {
        requestId: request.id,
        userId: request.actor?.userId,
        ip: request.address,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        code: reply.errorCode ?? undefined,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}

export interface App {
  server: FastifyInstance
  served: Http['served']
}

interface AppOptions {
  /** Contains the built client. If it does not exist, only the API is served. */
  webFolder: string
  stopping: AbortSignal
  /** For tests, which share their event loop with the server. */
  pressure?: Pressure
}

interface ServeOptions {
  load: Load
  rateLimiter: RateLimiter
  stopping: AbortSignal
}

/** Serves programs with an API key and, for agents, connected programs. Errors have the shape of OpenAI's API. */
async function servePrograms(app: FastifyInstance, deps: Deps, options: ServeOptions): Promise<void> {
  await app.register((scope, _options, done) => {
    scope.setErrorHandler(createErrorHandler(buildErrorBody))
    openaiApiRoutes(
      createKeyRoutes(scope, {
        authenticate: (key, client) => authenticateKey(deps, key, client),
        buildChallenge: () => 'Bearer',
        ...options,
      }),
      deps,
    )
    mcpRoutes(
      createKeyRoutes(scope, {
        authenticate: async (key, client) =>
          (await authenticateKey(deps, key, client)) ?? authenticateToken(deps, key, client),
        buildChallenge: (refusal) => buildChallenge(deps.env, refusal),
        ...options,
      }),
      deps,
    )
    scope.all('/v1/*', { config: { access: 'open' } }, async () => {
      throw notFound()
    })
    done()
  })
}

/** Serves directories with a key of theirs. Errors have the shape of SCIM. */
async function serveDirectories(app: FastifyInstance, deps: Deps, options: ServeOptions): Promise<void> {
  await app.register((scope, _options, done) => {
    scope.setErrorHandler(createErrorHandler(buildScimError, scimType))
    // A group can have thousands of members.
    acceptJson(scope, {
      contentType: /^application\/(?:scim\+)?json(?:;|$)/i,
      maxKeys: 100_000,
      allowsEmpty: true,
    })
    const http = createKeyRoutes(scope, {
      authenticate: (key, client) => authenticateDirectory(deps, key, client),
      buildChallenge: () => 'Bearer',
      ...options,
    })
    scimRoutes(http, deps)
    scope.all(`${scimPath}/*`, { config: { access: 'open' } }, async ({ url }) => refuseUnserved(url))
    done()
  })
}

/** Serves all calls of the product, and their description. Returns their endpoints. */
async function serveApi(
  app: FastifyInstance,
  deps: Deps,
  { load, rateLimiter, stopping }: ServeOptions,
): Promise<Http['served']> {
  const { env, now } = deps
  const options: HttpOptions = {
    authenticate: (token, client) => authenticate(deps, token, client),
    isStillAllowed: (actor, access) => isStillAllowed(deps, actor, access),
    now,
    rateLimiter,
    load,
    uploadLimits: { document: env.MAX_DOCUMENT_MB * 1024 * 1024, image: imageMaxBytes - 1 },
    spoolFolder: join(env.DATA_DIR, spoolName),
    requireFreeSpace: deps.disk.requireFreeSpace,
    isHttps: env.PUBLIC_URL.startsWith('https:'),
    stopping,
  }
  const http = createHttp(app, options)
  for (const mount of features) mount(http, deps)
  const served = new Set(http.served)
  await app.register((scope, _options, done) => {
    scope.setErrorHandler(createErrorHandler(buildOauthErrorBody))
    const oauth = createHttp(scope, options)
    oauthRoutes(oauth, deps)
    for (const endpoint of oauth.served) served.add(endpoint)
    done()
  })

  // Made for the first request, since it would delay the start.
  let description: Promise<Buffer> | undefined
  async function describe(): Promise<Buffer> {
    // A buffer, so that all responses share it while they wait to be read.
    return Buffer.from(JSON.stringify(await describeApi(endpoints, served)))
  }
  app.get('/api/openapi.json', { config: { access: 'open' } }, async (_request, reply) => {
    description ??= describe()
    return reply.type('application/json; charset=utf-8').send(await description)
  })
  return served
}

export async function buildApp(deps: Deps, options: AppOptions): Promise<App> {
  const { env } = deps
  const addSecurityHeaders = createSecurityHeadersHook(env.PUBLIC_URL.startsWith('https:'))
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => uuidv7(),
    trustProxy: env.TRUSTED_PROXIES.length > 0 ? env.TRUSTED_PROXIES : false,
    bodyLimit: 64 * 1024,
    serverFactory: (handle) => createLimitedServer(handle),
    // Longer than any valid id or token, so that the endpoint itself can reject a malformed one.
    routerOptions: { maxParamLength: 1000, caseSensitive: true },
    // Requests that the router cannot parse never reach the hooks.
    frameworkErrors: async (error, request, reply) => {
      await addSecurityHeaders(request, reply)
      await handleError(error, request, reply)
    },
  }) as unknown as FastifyInstance
  app.decorateRequest('actor', null)
  app.decorateRequest('address', '')
  app.addHook('onRequest', async (request) => {
    // The header that a proxy passed on may name no address.
    request.address = parseAddress(request.ip) ?? request.raw.socket.remoteAddress ?? 'unknown'
  })
  requirePolicies(app)
  app.decorateReply('errorCode', null)
  logRequests(app, deps)
  const { now, log } = deps
  recordDenials(app, createDenials({ record: (denial) => auditDenial(deps, denial), now, log }))
  app.addHook('onRequest', addSecurityHeaders)
  app.addHook('onRequest', requireOneHost)
  allowOrigins(app, env.CORS_ORIGINS)
  const pressure = options.pressure ?? watchPressure(app.server)
  app.addHook('onClose', async () => pressure.close())
  const load = limitLoad(app, pressure)
  limitOpenBodies(app)
  app.setErrorHandler(handleError)
  acceptJson(app)
  acceptForms(app)
  await app.register(multipart)

  const isWorker = env.RUN === 'worker'
  const rateLimiter = createRateLimiter({
    scale: env.RATE_LIMIT_SCALE,
    now,
    shared: deps.clusterLinks?.counters ?? null,
    log,
  })
  app.addHook('onClose', async () => rateLimiter.close())
  const serveOptions = { load, rateLimiter, stopping: options.stopping }
  const served: Http['served'] = isWorker ? new Set() : await serveApi(app, deps, serveOptions)
  if (!isWorker) await servePrograms(app, deps, serveOptions)
  if (!isWorker) await serveDirectories(app, deps, serveOptions)
  async function queryDatabase(): Promise<void> {
    await sql`select 1`.execute(deps.db)
  }
  const links = deps.clusterLinks
  serveHealth(app, {
    checks: env.CLUSTER
      ? createNodeChecks(deps.db, deps.cluster, queryDatabase)
      : { database: queryDatabase },
    warnings: {
      disk: deps.disk.requireRoom,
      backups: () => requireBackups(deps),
      search: () => requireSearch(deps),
      ...(env.CLUSTER ? createNodeWarnings(deps.cluster) : {}),
      ...(links && env.REDIS_URL !== undefined ? { redis: links.check } : {}),
    },
    isDraining: () => deps.cluster.isDraining,
    gauges: {
      jobs_waiting: () => deps.jobs.count('waiting'),
      jobs_failed: () => deps.jobs.count('failed'),
    },
    metricsToken: env.METRICS_TOKEN,
    pressure,
  })
  if (!isWorker) serveDocuments(app, listMetadata(env))
  if (!isWorker) serveSecurityTxt(app, { contact: env.SECURITY_CONTACT, publicUrl: env.PUBLIC_URL, now })
  const findDocument = isWorker ? null : await serveWeb(app, options.webFolder)
  if (findDocument)
    serveEmbedPages(app, { listSites: (channelId) => listSites(deps, channelId), rateLimiter, findDocument })
  handleUnmatched(app, served, findDocument)
  return { server: app, served }
}
