import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { Pressure } from './pressure.ts'

interface HealthChecks {
  /** Throws when this part of the server does not work. */
  [part: string]: () => Promise<void>
}

/** Problems an administrator should fix although the server works. They are reported but do not affect readiness. */
type HealthWarnings = HealthChecks

interface Health {
  checks: HealthChecks
  warnings: HealthWarnings
  /** Whether the server is about to stop: it answers, but load balancers should choose others. */
  isDraining: () => boolean
  gauges: Gauges
  metricsToken: string | undefined
  pressure: Pressure
}

interface Gauges {
  [name: string]: () => Promise<number> | number
}

const config = { access: 'open', isProbe: true } as const

function isLoopback({ ip, headers }: FastifyRequest): boolean {
  return (
    (ip === '127.0.0.1' || ip === '::1' || ip === '::ffff:127.0.0.1') &&
    headers['x-forwarded-for'] === undefined
  )
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Compares hashes in constant time, so that response times reveal neither the token nor its length. */
function hasToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  return token !== undefined && timingSafeEqual(hash(headers.authorization ?? ''), hash(`Bearer ${token}`))
}

async function runChecks(checks: HealthChecks): Promise<Record<string, 'ok' | 'failed'>> {
  const parts: Record<string, 'ok' | 'failed'> = {}
  for (const [part, check] of Object.entries(checks))
    parts[part] = await check().then(
      () => 'ok' as const,
      () => 'failed' as const,
    )
  return parts
}

/** Serves liveness, readiness and Prometheus metrics. Metrics need the token or a request from this machine. */
export function serveHealth(
  app: FastifyInstance,
  { checks, warnings, isDraining, gauges, metricsToken, pressure }: Health,
): void {
  const responseCounts = new Map<string, number>()
  const errorCounts = new Map<string, number>()
  app.addHook('onResponse', async (_request, reply) => {
    const kind = `${Math.floor(reply.statusCode / 100)}xx`
    responseCounts.set(kind, (responseCounts.get(kind) ?? 0) + 1)
    const { errorCode } = reply
    if (errorCode) errorCounts.set(errorCode, (errorCounts.get(errorCode) ?? 0) + 1)
  })

  app.get('/healthz', { config }, async () => ({ status: 'ok' }))

  app.get('/readyz', { config }, async (_request, reply) => {
    const parts = await runChecks(checks)
    const isReady = Object.values(parts).every((state) => state === 'ok')
    // Without a database the warnings cannot be evaluated.
    const warningStates = isReady ? await runChecks(warnings) : {}
    const status = !isReady ? 'not ready' : isDraining() ? 'draining' : 'ready'
    return reply.code(status === 'ready' ? 200 : 503).send({ status, parts: { ...parts, ...warningStates } })
  })

  app.get('/metrics', { config }, async (request, reply) => {
    if (!hasToken(request, metricsToken) && !isLoopback(request)) throw new AppError('not_found')
    const lines = [
      `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
      `process_uptime_seconds ${process.uptime()}`,
      `nodejs_eventloop_lag_p99_seconds ${pressure.delayP99()}`,
      `lyceum_http_wait_seconds ${pressure.waitMs() / 1000}`,
      ...[...responseCounts].map(([kind, count]) => `lyceum_http_responses_total{status="${kind}"} ${count}`),
      ...[...errorCounts].map(([code, count]) => `lyceum_http_errors_total{code="${code}"} ${count}`),
    ]
    for (const [name, read] of Object.entries(gauges)) lines.push(`lyceum_${name} ${await read()}`)
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}
