import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authApi } from '@lyceum/contract/auth'
import { directoriesApi } from '@lyceum/contract/directories'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHttpClient } from '../../server/src/testing/http-client.ts'
import { spawnServer } from '../../server/src/testing/spawn-server.ts'
import { requireScimTester, runScimTester } from './scim-tester.ts'

const owner = { email: 'owner@example.org', fullName: 'Olu Owner', password: 'a sound password' }

let folder: string
let program: string
beforeAll(async () => {
  program = requireScimTester()
  folder = await mkdtemp(join(tmpdir(), 'lyceum-scim-'))
}, 600_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

it('scim2-tester refuses a wrong key and finds no fault with a right one', async () => {
  const server = await spawnServer({ DATA_DIR: join(folder, 'data') })
  try {
    const visitor = createHttpClient(server.url, '')
    await visitor.call(authApi.register, { body: { ...owner, token: server.setupToken() } })
    const { token = '' } = await visitor.call(authApi.login, { body: owner })
    const client = createHttpClient(server.url, token)
    const { key } = await client.call(directoriesApi.create, { body: { name: 'Tester' } })
    const url = `${server.url}/scim/v2`

    expect(runScimTester(program, url, `${key}x`).exitCode).not.toBe(0)

    const report = runScimTester(program, url, key)
    expect(report.others).toEqual([])
    expect(report.exitCode, report.output).toBe(0)
    expect(report.successes).toBeGreaterThan(50)
  } finally {
    await server.stop()
  }
}, 300_000)
