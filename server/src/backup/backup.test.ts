import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '#db/client.ts'
import { migrate } from '#db/migrate.ts'
import { openSnapshot } from '#db/snapshot.ts'
import { createLocalFiles } from '#providers/files/local.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type CliResult, runCli } from '#testing/run-cli.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { restoreMarker } from '../files/data-folder.ts'
import { markFolder, putInPlace } from './put-in-place.ts'
import { createDigest } from './row-digest.ts'

let app: TestApp
let folder: string
/** An empty place of the run's kind. */
let place: string
let target: TestDatabase
let admin: TestUser
let channelId: string
let chatId: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-backup-'))
  place = join(folder, 'place')
  await mkdir(join(folder, 'spare'))
  target = await createTestDatabase(join(folder, 'spare'))
  app = await buildTestApp()
  admin = await createAdmin(app.deps, { isSystemAdmin: true })
  channelId = await createTestChannel(app.deps)
  await createUser(app.deps, { channels: [channelId] })
})
afterEach(async () => {
  await app.close()
  await target.drop()
  await rm(folder, { recursive: true, force: true })
})

function envOf(dataFolder: string, database: TestDatabase | undefined = undefined): Record<string, string> {
  return {
    DATA_DIR: dataFolder,
    ...(database?.url ? { DATABASE_URL: database.url } : {}),
  }
}
function here(): Record<string, string> {
  return {
    DATA_DIR: app.folder,
    ...(app.deps.env.DATABASE_URL ? { DATABASE_URL: app.deps.env.DATABASE_URL } : {}),
  }
}
function there() {
  return envOf(place, target)
}

/** A document and a chat in it. */
async function work(): Promise<string> {
  const member = await createAdmin(app.deps, { isSystemAdmin: true, channels: [channelId] })
  const uploaded = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId, title: 'rules.txt' },
    file: { name: 'rules.txt', content: 'Rooms close at six in the evening.' },
  })
  const { _id } = uploaded.body as { _id: string }
  await app.call(documentsApi.approve, { as: admin, params: { id: _id } })
  await app.runJobs()
  const chat = await app.call(chatsApi.create, { as: member, params: { channelId }, body: {} })
  chatId = chat.body._id
  await app.call(chatsApi.send, {
    as: member,
    params: { channelId, chatId },
    body: { message: 'When do rooms close?' },
  })
  return _id
}

async function backUp(options: readonly string[] = [], env: Record<string, string> = {}): Promise<string> {
  const path = join(folder, `backup-${Math.random()}`)
  const { code, stderr } = await runCli(['backup', path, ...options], { ...here(), ...env })
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return path
}

async function digests(env: Record<string, string>): Promise<Map<string, string>> {
  const url = env['DATABASE_URL']
  const sqlite = join(env['DATA_DIR'] ?? '', 'lyceum.db')
  const snapshot = await openSnapshot(url ? { postgres: url, poolSize: 1 } : { sqlite })
  try {
    const found = new Map<string, string>()
    for (const table of snapshot.tables) {
      const digest = createDigest()
      for await (const page of snapshot.rows(table)) for (const row of page) digest.add(row)
      const { rows, digest: sum } = digest.result()
      found.set(table.name, `${rows} ${sum}`)
    }
    return found
  } finally {
    await snapshot.close()
  }
}

function refused({ code, stderr, stdout }: CliResult): string {
  expect(code).toBe(1)
  expect(stdout).toBe('')
  expect(stderr.trim().split('\n')).toHaveLength(1)
  return stderr
}

async function sameButFor(
  one: Record<string, string>,
  other: Record<string, string>,
  changed: readonly string[],
): Promise<void> {
  const [before, after] = [await digests(one), await digests(other)]
  for (const table of changed) {
    before.delete(table)
    after.delete(table)
  }
  expect(after).toEqual(before)
}

/** A restore enters itself, and the backup has noted itself after its snapshot. */
const notKept = [
  ...['sessions', 'sign_in_challenges', 'trusted_browsers', 'password_resets'],
  ...['jobs', 'audit_log', 'settings', 'invitations'],
]

describe('lyceum backup', () => {
  it('refuses a folder without an installation and a file that is there, and leaves both as they were', async () => {
    if (!app.deps.env.DATABASE_URL) {
      const empty = await runCli(['backup', join(folder, 'x')], envOf(place))
      expect(refused(empty)).toMatch(/no installation/)
    }
    const taken = join(folder, 'taken')
    await writeFile(taken, 'mine')
    expect(refused(await runCli(['backup', taken], here()))).toMatch(/already a file/)
    expect(await readFile(taken, 'utf8')).toBe('mine')
    const nowhere = await runCli(['backup', join(taken, 'x')], here())
    expect(refused(nowhere)).toMatch(/No backup was made/)
  })

  it('refuses a passphrase that is too short', async () => {
    const file = join(folder, 'passphrase')
    await writeFile(file, 'short\n')
    const answer = await runCli(['backup', join(folder, 'x'), '--passphrase-file', file], here())
    expect(refused(answer)).toMatch(/at least 12 characters/)
  })

  it('leaves nothing behind where there is no room', async () => {
    await work()
    // What a full disk answers, for this process alone: files end at 4 kB.
    const path = join(folder, 'small')
    const { code, stderr } = await runCli(['backup', path], here(), '', { maxFileKb: 4 })
    expect(stderr).toMatch(/^No backup was made\. The file would become larger than may be\./m)
    expect(code).toBe(1)
    expect((await readdir(folder)).filter((name) => name.startsWith('small'))).toEqual([])
  })

  it('is readable by its owner only, is verified, and is entered', async () => {
    await work()
    const path = await backUp()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const { code, stdout } = await runCli(['backup', path, '--verify'], here())
    expect(code).toBe(0)
    expect(stdout).toMatch(/is whole/)
    expect(stdout).toMatch(/files {5}1 file/)
    const entries = await app.deps.db.selectFrom('audit_log').select(['action', 'actor_id']).execute()
    expect(entries).toContainEqual({ action: 'backup.made', actor_id: null })
  })
})

describe('lyceum restore', () => {
  it('refuses what is no backup, and a place in use, and touches nothing', async () => {
    const other = join(folder, 'other')
    await writeFile(other, 'hello')
    expect(refused(await runCli(['restore', other], there()))).toMatch(/Nothing was restored.*cannot be used/)
    expect(refused(await runCli(['restore', join(folder, 'none')], there()))).toMatch(/no such file/)
    const path = await backUp()
    const before = await digests(here())
    const inUse = await runCli(['restore', path], here())
    expect(refused(inUse)).toMatch(/is not empty|is in use/)
    expect(await digests(here())).toEqual(before)
  })

  it('brings back records and files, on an empty place', async () => {
    const documentId = await work()
    const path = await backUp()
    const { code, stdout, stderr } = await runCli(['restore', path], there())
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toMatch(/1 files/)
    await sameButFor(here(), there(), notKept)
    const after = await digests(there())
    expect(after.get('sessions')).toBe('0 0')
    const db = openDatabase(
      target.url ? { postgres: target.url, poolSize: 1 } : { sqlite: join(place, 'lyceum.db') },
    )
    try {
      const version = await db
        .selectFrom('document_versions')
        .select(['file_key', 'document_id'])
        .executeTakeFirstOrThrow()
      expect(version.document_id).toBe(documentId)
      const files = await createLocalFiles(join(place, 'blobs'))
      expect(await files.size(version.file_key)).toBe(34)
      // Rows go on behind the last one.
      const last = await db
        .selectFrom('messages')
        .select((eb) => eb.fn.max('seq').as('seq'))
        .executeTakeFirstOrThrow()
      const message = await db.selectFrom('messages').selectAll().orderBy('seq').executeTakeFirstOrThrow()
      const { seq: _, ...rest } = message
      await db
        .insertInto('messages')
        .values({ ...rest, id: 'next', idempotency_key: null })
        .execute()
      const next = await db
        .selectFrom('messages')
        .select('seq')
        .where('id', '=', 'next')
        .executeTakeFirstOrThrow()
      expect(next.seq).toBe(last.seq + 1)
      const entry = await db
        .selectFrom('audit_log')
        .select('action')
        .orderBy('seq', 'desc')
        .executeTakeFirst()
      expect(entry?.action).toBe('backup.restored')
    } finally {
      await db.destroy()
    }
  })

  it('brings a backup of one database into the other', async () => {
    await work()
    const path = await backUp()
    // SQLite, whatever the run is for.
    const { code } = await runCli(['restore', path], envOf(place))
    expect(code).toBe(0)
    await sameButFor(here(), envOf(place), notKept)
  })

  it('ends links of open invitations, drops letters, and frees what was being worked on', async () => {
    const { db } = app.deps
    const far = Date.now() + 1_000_000
    await db
      .insertInto('invitations')
      .values({
        ...{
          id: 'i',
          email: 'new@example.org',
          full_name: 'New',
          token_hash: 'h',
          status: 'pending' as const,
        },
        ...{ is_setup: 0 as const, invited_by: null, allowed_channels: '[]', idempotency_key: null },
        ...{
          two_factor_days: 30,
          two_factor_enabled: 1 as const,
          created_at: 1,
          expires_at: far,
          accepted_at: null,
        },
      })
      .execute()
    const job = { payload: '{}', attempts: 1, run_at: 1, fence: 'f', last_error: null, created_at: 1 }
    const running = { state: 'running' as const, lease_until: far, owner: 'gone' }
    await db
      .insertInto('jobs')
      .values([
        { id: 'letter', name: 'mail.send', ...job, ...running },
        { id: 'link', name: 'auth.reset-link', ...job, ...running },
        { id: 'index', name: 'documents.index', ...job, ...running },
      ])
      .execute()
    const path = await backUp()
    expect((await runCli(['restore', path], envOf(place))).code).toBe(0)
    const restored = openDatabase({ sqlite: join(place, 'lyceum.db') })
    try {
      const invitation = await restored.selectFrom('invitations').selectAll().executeTakeFirstOrThrow()
      expect(invitation.expires_at).toBeLessThanOrEqual(Date.now())
      const jobs = await restored.selectFrom('jobs').select(['id', 'state', 'owner', 'lease_until']).execute()
      expect(jobs).toContainEqual({ id: 'index', state: 'waiting', owner: null, lease_until: null })
      expect(jobs.filter(({ id }) => id === 'letter' || id === 'link')).toEqual([])
    } finally {
      await restored.destroy()
    }
  })

  it('holds the secrets only when asked, and brings them back', async () => {
    const secrets = await readFile(join(app.folder, 'secrets.json'), 'utf8')
    const passphrase = { BACKUP_PASSPHRASE: 'lantern orchard 42' }
    const path = await backUp(['--with-secrets'], passphrase)
    expect(refused(await runCli(['restore', path], envOf(place)))).toMatch(/encrypted/)
    expect((await runCli(['restore', path], { ...envOf(place), ...passphrase })).code).toBe(0)
    expect(await readFile(join(place, 'secrets.json'), 'utf8')).toBe(secrets)
    expect((await stat(join(place, 'secrets.json'))).mode & 0o777).toBe(0o600)
  })

  it('with --replace moves aside what is there and keeps secrets and backups', async () => {
    const path = await backUp()
    const first = await runCli(['restore', path], envOf(place))
    expect(first.code).toBe(0)
    await writeFile(join(place, 'secrets.json'), await readFile(join(app.folder, 'secrets.json')), {
      mode: 0o600,
    })
    await mkdir(join(place, 'backups'))
    await copyFile(path, join(place, 'backups', 'mine'))
    const again = await runCli(['restore', join(place, 'backups', 'mine'), '--replace'], envOf(place))
    expect(again.code).toBe(0)
    const names = await readdir(place)
    const aside = names.find((name) => name.startsWith('before-restore-')) ?? ''
    expect(names.toSorted()).toEqual(
      [...['backups', 'blobs', 'lock.db', 'lyceum.db', 'secrets.json'], aside].toSorted(),
    )
    expect(await readdir(join(place, aside))).toContain('lyceum.db')
  })

  it('refuses the schema of a newer version', async () => {
    const { db } = app.deps
    await db
      .insertInto('kysely_migration' as never)
      .values({ name: '9999-later', timestamp: '2099' } as never)
      .execute()
    const path = await backUp()
    await db
      .deleteFrom('kysely_migration' as never)
      .where('name' as never, '=', '9999-later' as never)
      .execute()
    expect(refused(await runCli(['restore', path], envOf(place)))).toMatch(/newer version of Lyceum/)
    expect(await readdir(place)).toEqual(['lock.db'])
  })

  it('brings an older backup forward', async () => {
    const old = join(folder, 'old')
    await mkdir(old)
    const db = openDatabase({ sqlite: join(old, 'lyceum.db') })
    await migrate(db, '0002-people')
    const channel = {
      id: 'c',
      name: 'Old',
      description: '',
      system_prompt: '',
      llm_model: 'gpt-4o',
      assistant_id: '',
    }
    await db
      .insertInto('channels')
      .values({ ...channel, strict_documents_only: 0, use_assistant: 0, created_at: 1, updated_at: 1 })
      .execute()
    await db.destroy()
    const path = join(folder, 'old.tar.gz')
    expect((await runCli(['backup', path], envOf(old))).code).toBe(0)
    const { code, stderr } = await runCli(['restore', path], envOf(place))
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const restored = openDatabase({ sqlite: join(place, 'lyceum.db') })
    try {
      expect(await migrate(restored)).toEqual([])
      const [found] = await restored.selectFrom('channels').selectAll().execute()
      expect(found).toMatchObject({ name: 'Old', allow_proposals: 0 })
    } finally {
      await restored.destroy()
    }
  })
})

describe('lyceum migrate-to', () => {
  it('refuses what is no address of PostgreSQL, and a folder without records', async () => {
    const { code, stderr } = await runCli(['migrate-to', 'mysql://x'], envOf(place))
    expect([code, stderr]).toEqual([2, expect.stringMatching(/must begin with postgres/)])
    expect(refused(await runCli(['migrate-to', 'postgres://x'], envOf(place)))).toMatch(/no records/)
  })

  it('copies everything into an empty database, sessions too, and leaves the file as it was', async () => {
    if (!target.url) return
    await work()
    expect((await runCli(['restore', await backUp()], envOf(place))).code).toBe(0)
    const source = openDatabase({ sqlite: join(place, 'lyceum.db') })
    const { id } = await source.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const times = { created_at: 1, last_seen_at: 1, expires_at: Date.now() + 1_000_000 }
    await source
      .insertInto('sessions')
      .values({ id: 's', user_id: id, ip: '', user_agent: '', browser_id: null, ...times })
      .execute()
    await source.destroy()
    const before = await digests(envOf(place))
    const { code, stdout, stderr } = await runCli(['migrate-to', target.url], envOf(place))
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toMatch(/set DATABASE_URL/)
    expect(await digests(envOf(place))).toEqual(before)
    await sameButFor(envOf(place), there(), ['audit_log'])
    expect(before.get('sessions')).toMatch(/^1 /)
    const again = await runCli(['migrate-to', target.url], envOf(place))
    expect(again.stderr).toMatch(/Nothing was moved.*is in use/)
  })

  it('leaves an empty database empty when a row cannot be kept there', async () => {
    if (!target.url) return
    await mkdir(place)
    const source = openDatabase({ sqlite: join(place, 'lyceum.db') })
    await migrate(source)
    await source.insertInto('settings').values({ key: 'good', value: '1', updated_at: 1 }).execute()
    // PostgreSQL keeps no NUL in text.
    await source.insertInto('settings').values({ key: 'bad', value: 'a\0b', updated_at: 1 }).execute()
    await source.destroy()
    const { code, stderr } = await runCli(['migrate-to', target.url], envOf(place))
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Nothing was moved\. /)])
    expect((await digests(there())).get('settings')).toBe('0 0')
  })
})

describe('a restore that is broken off', () => {
  const marking = {
    database: 'sqlite' as const,
    aside: 'before-restore-1',
    stays: ['lock.db'],
    phase: 'aside' as const,
  }
  async function ready(): Promise<void> {
    await mkdir(join(place, 'restoring'), { recursive: true })
    await writeFile(join(place, 'lyceum.db'), 'old')
    await writeFile(join(place, 'node-id'), 'old')
    await writeFile(join(place, 'restoring', 'lyceum.db'), 'new')
    await markFolder(place, marking)
  }

  it('is told by the folder, and nothing starts on it', async () => {
    await ready()
    const answer = await runCli(['admin', 'setup-link'], envOf(place))
    expect(refused(answer)).toMatch(/interrupted.*restore --finish/)
    expect(refused(await runCli(['restore', 'x'], envOf(place)))).toMatch(/interrupted/)
  })

  it.each([
    'before anything moved',
    'with the old moved in part',
    'with the old moved',
    'with the new moved in part',
  ])('is finished %s', async (when) => {
    await ready()
    const aside = join(place, 'before-restore-1')
    if (when !== 'before anything moved') {
      await mkdir(aside)
      await copyFile(join(place, 'node-id'), join(aside, 'node-id'))
      await rm(join(place, 'node-id'))
    }
    if (when.startsWith('with the old moved') && !when.endsWith('part')) {
      await copyFile(join(place, 'lyceum.db'), join(aside, 'lyceum.db'))
      await rm(join(place, 'lyceum.db'))
    }
    if (when.startsWith('with the new')) {
      await copyFile(join(place, 'lyceum.db'), join(aside, 'lyceum.db'))
      await copyFile(join(place, 'restoring', 'lyceum.db'), join(place, 'lyceum.db'))
      await rm(join(place, 'restoring'), { recursive: true })
      await markFolder(place, { ...marking, phase: 'in' })
    }
    const { code } = await runCli(['restore', '--finish'], envOf(place))
    expect(code).toBe(0)
    expect(await readFile(join(place, 'lyceum.db'), 'utf8')).toBe('new')
    expect(await readFile(join(aside, 'lyceum.db'), 'utf8')).toBe('old')
    expect((await readdir(place)).filter((name) => name.startsWith(restoreMarker))).toEqual([])
  })

  it('was not, where there is nothing to finish', async () => {
    await mkdir(place)
    expect(refused(await runCli(['restore', '--finish'], envOf(place)))).toMatch(/No restore/)
    await expect(putInPlace(place, { ...marking, aside: null, phase: 'in' })).resolves.toBeUndefined()
  })
})
