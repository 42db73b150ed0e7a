import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ClusterFixture, createClusterFixture } from '../../server/src/testing/cluster-fixture.ts'
import { runCli } from '../../server/src/testing/run-cli.ts'
import { findFreePort, type SpawnedServer } from '../../server/src/testing/spawn-server.ts'
import { startTestRedis, type TestRedis } from '../../server/src/testing/test-redis.ts'
import { createCertificate } from './certificate.ts'

let folder: string
let cluster: ClusterFixture
let redis: TestRedis
let trusted: Record<string, string>
/** Addresses of the encrypted port. The certificate is for the first name only. */
let url: string
let otherUrl: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-redis-tls-'))
  const { certificate, key } = createCertificate(folder)
  const port = String(await findFreePort())
  redis = await startTestRedis(
    ...['--tls-port', port, '--tls-auth-clients', 'no'],
    ...['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate],
  )
  trusted = { NODE_EXTRA_CA_CERTS: certificate }
  url = redis.url.replace(/^redis:(.*)@.*$/, `rediss:$1@localhost:${port}`)
  otherUrl = url.replace('localhost', '127.0.0.1')
  cluster = await createClusterFixture({ LOG_LEVEL: 'warn' })
})
afterEach(async () => {
  await cluster?.close()
  await redis?.close()
  await rm(folder, { recursive: true, force: true })
})

async function readReadiness(server: SpawnedServer): Promise<string> {
  return (await fetch(`${server.url}/readyz`)).text()
}

/** Starts a server, and returns it once it has found out that it cannot use Redis. */
async function startWithoutRedis(settings: Record<string, string>): Promise<SpawnedServer> {
  const server = await cluster.start('server', settings)
  await expect.poll(server.output).toContain('Redis cannot be used')
  expect(await readReadiness(server)).toContain('"redis":"failed"')
  // Not even the password was sent.
  expect(await redis.client.client('LIST')).not.toContain('name=lyceum')
  return server
}

describe('a server whose Redis encrypts connections', () => {
  it('refuses a certificate that it does not trust', async () => {
    const server = await startWithoutRedis({ REDIS_URL: url })
    expect(server.output()).toContain('self-signed certificate')
  })

  it('refuses a certificate for another name', async () => {
    const server = await startWithoutRedis({ REDIS_URL: otherUrl, ...trusted })
    expect(server.output()).toContain("does not match certificate's altnames")
  })

  it('uses it with a certificate of NODE_EXTRA_CA_CERTS', async () => {
    const server = await cluster.start('server', { REDIS_URL: url, ...trusted })
    await expect.poll(() => readReadiness(server)).toContain('"redis":"ok"')
    expect(await redis.client.client('LIST')).toContain('name=lyceum')
    expect(server.output()).not.toContain('Redis cannot be used')
  })
})

describe('lyceum doctor', () => {
  it('names what is wrong with the certificate, or reports that Redis works', async () => {
    async function findProblem(settings: Record<string, string>): Promise<string | undefined> {
      const { stdout } = await runCli(['doctor'], cluster.settings('server', settings))
      return stdout.split('\n').find((line) => /^\w+ +redis: /.test(line))
    }
    await cluster.start('server')
    expect(await findProblem({ REDIS_URL: url })).toMatch(/^problem {2}redis: self-signed certificate/)
    expect(await findProblem({ REDIS_URL: otherUrl, ...trusted })).toMatch(
      /does not match certificate's altnames/,
    )
    expect(await findProblem({ REDIS_URL: url, ...trusted })).toMatch(/^ok {7}redis: version \d/)
  })
})
