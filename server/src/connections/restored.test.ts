import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectionsApi } from '@lyceum/contract/connections'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createAdmin } from '#testing/factories.ts'
import { runCli } from '#testing/run-cli.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { readEnv } from '../env.ts'
import { openDeps } from '../start.ts'

const mail = {
  host: '127.0.0.1',
  port: 2525,
  encryption: 'optional',
  username: 'mailer',
  password: 'sesame',
  from: 'lyceum@example.org',
} as const
const passphrase = { BACKUP_PASSPHRASE: 'lantern orchard 42' }

let app: TestApp
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-connections-'))
  app = await buildTestApp()
  const admin = await createAdmin(app.deps, { isSystemAdmin: true })
  expect((await app.call(connectionsApi.setMail, { as: admin, body: mail })).status).toBe(200)
})
afterEach(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** Restores a backup into a new folder with SQLite, and opens it as a start does. */
async function openRestored(options: readonly string[]) {
  const { DATABASE_URL } = app.deps.env
  const source = { DATA_DIR: app.folder, ...(DATABASE_URL ? { DATABASE_URL } : {}), ...passphrase }
  const target = { DATA_DIR: join(folder, 'target'), LOG_LEVEL: 'silent', ...passphrase }
  const path = join(folder, 'backup')
  expect((await runCli(['backup', path, ...options], source)).code).toBe(0)
  expect((await runCli(['restore', path], target)).code).toBe(0)
  const { deps, close } = await openDeps(readEnv(target))
  const { connections, mail } = deps
  const opened = { mail: connections.current.mail, delivers: mail.delivers }
  await close()
  return opened
}

it('keeps the connections of a backup with its keys', async () => {
  expect(await openRestored(['--with-secrets'])).toEqual({
    mail: { source: 'stored', value: mail },
    delivers: true,
  })
})

it('starts without the connections of a backup whose keys are missing', async () => {
  expect(await openRestored([])).toEqual({ mail: { source: 'unreadable', value: null }, delivers: false })
})
