import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { documentsApi } from '@lyceum/contract/documents'
import { invitationsApi } from '@lyceum/contract/invitations'
import { permissionNames } from '@lyceum/contract/permissions'
import { usersApi } from '@lyceum/contract/users'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttpClient, type HttpClient } from '#testing/http-client.ts'
import { runCli } from '#testing/run-cli.ts'
import { type SpawnedServer, spawnServer } from '#testing/spawn-server.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { lockDataFolder } from '../files/data-folder.ts'

const ada = { email: 'ada@example.org', name: 'Ada L', password: 'a sound password' }
const gus = { email: 'gus@example.org', fullName: 'Gus Guest', password: 'another sound one' }

let home: string
let folder: string
let database: TestDatabase
let server: SpawnedServer | undefined
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lyceum-cli-'))
  folder = join(home, 'data')
  database = await createTestDatabase(home)
})
afterAll(async () => {
  await server?.kill()
  await database.drop()
  await rm(home, { recursive: true, force: true })
})

function createEnv(): Record<string, string> {
  return {
    DATA_DIR: folder,
    ...(database.url ? { DATABASE_URL: database.url } : {}),
  }
}

function lyceum(args: string, input = '') {
  // Keep quoted arguments together, as a shell does.
  return runCli(
    [...args.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? ''),
    createEnv(),
    input,
  )
}

async function signIn(email: string, password: string): Promise<HttpClient> {
  const url = server?.url ?? ''
  const { token = '' } = await createHttpClient(url, '').call(authApi.login, { body: { email, password } })
  return createHttpClient(url, token)
}

describe('npx lyceum', () => {
  it('prints its usage for --help and for invalid arguments', async () => {
    const help = await lyceum('--help')
    expect([help.code, help.stderr]).toEqual([0, ''])
    expect(help.stdout).toContain('admin create')
    const one = await lyceum('permissions --help')
    expect(one.stdout).toContain('npx lyceum permissions <email> [<permission>=on|off …]')
    for (const args of ['nonsense', 'admin create --name Ada', 'permissions ada@example.org canFly=on']) {
      const { code, stdout, stderr } = await lyceum(args)
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect(stderr).toContain('Usage: npx lyceum')
    }
  })

  it('explains each refusal in one sentence, and `doctor` creates nothing', async () => {
    const result = await lyceum('doctor')
    expect(result).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no data folder at ${folder}. The first start creates it.\n`,
    })
    expect(await readdir(home)).not.toContain('data')
    const weak = await lyceum(`admin create --email ${ada.email} --name "${ada.name}"`, 'ada@example.org\n')
    expect([weak.code, weak.stderr]).toEqual([
      1,
      'This password is too easy to guess. Please choose another one.\n',
    ])
    const unknown = await lyceum('admin promote gus@example.org')
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      'There is no user with the email address gus@example.org.\n',
    ])
  })

  it('creates the first administrator of an empty installation', async () => {
    const made = await lyceum(
      `admin create --email ADA@example.org --name "${ada.name}"`,
      `${ada.password}\n`,
    )
    expect(made).toEqual({
      code: 0,
      stdout: 'Ada L (ada@example.org) is now a system administrator.\n',
      stderr: '',
    })
    const again = await lyceum(`admin create --email ${ada.email} --name Other`, 'does not matter\n')
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('already exists')])
    const link = await lyceum('admin setup-link')
    expect([link.code, link.stdout]).toEqual([1, ''])
  })
})

it('upgrades a database only while no server is running', async () => {
  const older = { DATA_DIR: join(home, 'older') }
  const lock = lockDataFolder(older.DATA_DIR)
  const refused = await runCli(['admin', 'setup-link'], older)
  lock.release()
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Stop it before')])
  const first = await runCli(['migrate'], older)
  expect(first.stdout).toMatch(/^The database was upgraded: 0001-.*\n$/)
  const second = await runCli(['migrate'], older)
  expect(second).toEqual({ code: 0, stdout: 'The database is up to date.\n', stderr: '' })
  expect(await runCli(['migrate', '--contract'], older)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Without CLUSTER=true, each start and npx lyceum migrate also contract.\n',
  })
})

describe('while a server is running', () => {
  let owner: HttpClient
  beforeAll(async () => {
    server = await spawnServer(createEnv())
    expect(server.setupToken()).toBe('')
    owner = await signIn(ada.email, ada.password)
    const { link = '' } = await owner.call(invitationsApi.create, {
      body: {
        email: gus.email,
        fullName: gus.fullName,
        allowedChannels: [],
        twoFactorExpiryEnabled: false,
        twoFactorExpiryDays: 30,
      },
    })
    const token = new URL(link).searchParams.get('token') ?? ''
    await owner.call(authApi.register, { body: { ...gus, token } })
  })

  it('refuses to upgrade the schema', async () => {
    const { code, stderr } = await lyceum('migrate')
    expect([code, stderr]).toEqual([
      1,
      `A Lyceum server is running on ${folder}. Stop it before you upgrade the database.\n`,
    ])
  })

  it('shows and changes permissions, and promotes a user, who must sign in again', async () => {
    const before = await signIn(gus.email, gus.password)
    const plain = await lyceum(`permissions ${gus.email}`)
    expect([plain.code, plain.stderr]).toEqual([
      1,
      'Gus Guest (gus@example.org) is not an administrator and has no permissions.\n',
    ])
    const promoted = await lyceum(`admin promote ${gus.email}`)
    expect([promoted.code, promoted.stdout]).toEqual([
      0,
      'Gus Guest (gus@example.org) is now an administrator and must sign in again.\n',
    ])
    expect((await before.request(authApi.me, {})).status).toBe(401)

    const client = await signIn(gus.email, gus.password)
    expect((await client.request(usersApi.list, {})).status).toBe(200)
    const changed = await lyceum(`permissions ${gus.email} canManageUsers=off canViewChatHistory=on`)
    expect(changed.stdout).toMatch(/^ {2}canManageUsers +off {3}\(on by default\)$/m)
    expect(changed.stdout).toMatch(/^ {2}canViewChatHistory +on {3}\(off by default\)$/m)
    expect(changed.stdout).toMatch(/^ {2}canDeleteChannels +on$/m)
    expect((await client.request(usersApi.list, {})).status).toBe(403)
    expect((await client.call(authApi.me, {})).permissions.canViewChatHistory).toBe(true)

    const system = await lyceum(`admin promote ${gus.email} --system`)
    expect(system.stdout).toBe('Gus Guest (gus@example.org) is now a system administrator.\n')
    expect((await client.call(authApi.me, {})).isSystemAdmin).toBe(true)
    const all = await lyceum(`permissions ${gus.email} canManageUsers=off`)
    expect([all.code, all.stderr]).toEqual([1, expect.stringContaining('has all permissions')])
    const shown = await lyceum(`permissions ${gus.email}`)
    expect(shown.stdout.match(/ on( |$)/gm)).toHaveLength(permissionNames.length)
  })

  it('prints a password reset link that works once', async () => {
    const made = await lyceum(`admin reset-link ${gus.email}`)
    const [, token = ''] = /reset-password\?token=([\w-]{43})$/m.exec(made.stdout) ?? []
    const body = { token, newPassword: 'a third sound one' }
    function reset() {
      return createHttpClient(server?.url ?? '', '').request(authApi.resetPassword, { body })
    }
    expect((await reset()).status).toBe(200)
    expect((await reset()).status).toBe(400)
    await signIn(gus.email, body.newPassword)
  })

  it('reports unsafe permissions and missing or changed files', async () => {
    const channel = await owner.call(channelsApi.create, {
      body: { name: 'Handbook', description: 'Rules', llmModel: 'gpt-4o' },
    })
    for (const name of ['one.txt', 'two.txt']) {
      const file = { name, content: `Rules of ${name}: doors close at eight.` }
      expect((await owner.upload(documentsApi.upload, { channelId: channel._id }, file)).status).toBe(200)
    }
    const healthy = await lyceum('doctor --hashes')
    expect(healthy.stdout).not.toMatch(/^problem/m)
    expect(healthy.stdout).toContain('ok       server: running on this data folder\n')
    expect(healthy.stdout).toContain('ok       stored files: 2 checked, none missing or changed\n')
    expect(healthy.code).toBe(0)

    const blobs = join(folder, 'blobs')
    const [first = '', second = ''] = (await readdir(blobs, { recursive: true })).filter((path) =>
      /[0-9a-f]{40}$/.test(path),
    )
    await writeFile(join(blobs, first), 'Something else')
    await rm(join(blobs, second))
    await chmod(folder, 0o755)
    const damaged = await lyceum('doctor --hashes')
    expect(damaged.code).toBe(1)
    expect(damaged.stdout).toContain(`problem  data folder: Other users can read ${folder}`)
    expect(damaged.stdout).toContain('problem  stored files: 1 missing and 1 changed of 2')
  })
})
