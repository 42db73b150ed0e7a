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
import { markFolder, moveIntoPlace } from './move-into-place.ts'
import { createDigest } from './row-digest.ts'

let app: TestApp
let folder: string
/** The data folder to restore into; it does not exist yet. */
let targetFolder: string
let target: TestDatabase
let admin: TestUser
let channelId: string
let chatId: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-backup-'))
  targetFolder = join(folder, 'target')
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
function sourceEnv(): Record<string, string> {
  return {
    DATA_DIR: app.folder,
    ...(app.deps.env.DATABASE_URL ? { DATABASE_URL: app.deps.env.DATABASE_URL } : {}),
  }
}
function targetEnv() {
  return envOf(targetFolder, target)
}

/** Creates a document, and a chat that asks about it. */
async function addContent(): Promise<string> {
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
  const { code, stderr } = await runCli(['backup', path, ...options], { ...sourceEnv(), ...env })
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

function expectRefused({ code, stderr, stdout }: CliResult): string {
  expect(code).toBe(1)
  expect(stdout).toBe('')
  expect(stderr.trim().split('\n')).toHaveLength(1)
  return stderr
}

async function expectSameRowsExcept(
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

/** Tables that differ after a restore: excluded ones, and those that the backup and the restore change themselves. */
const changedTables = [
  ...['sessions', 'sign_in_challenges', 'trusted_browsers', 'password_resets'],
  ...['jobs', 'audit_log', 'settings', 'invitations'],
]

describe('lyceum backup', () => {
  it('refuses a folder without an installation and an existing target file, and changes neither', async () => {
    if (!app.deps.env.DATABASE_URL) {
      const empty = await runCli(['backup', join(folder, 'x')], envOf(targetFolder))
      expect(expectRefused(empty)).toMatch(/no installation/)
    }
    const taken = join(folder, 'taken')
    await writeFile(taken, 'mine')
    expect(expectRefused(await runCli(['backup', taken], sourceEnv()))).toMatch(/already a file/)
    expect(await readFile(taken, 'utf8')).toBe('mine')
    const nowhere = await runCli(['backup', join(taken, 'x')], sourceEnv())
    expect(expectRefused(nowhere)).toMatch(/No backup was made/)
  })

  it('refuses a passphrase that is too short', async () => {
    const file = join(folder, 'passphrase')
    await writeFile(file, 'short\n')
    const answer = await runCli(['backup', join(folder, 'x'), '--passphrase-file', file], sourceEnv())
    expect(expectRefused(answer)).toMatch(/at least 12 characters/)
  })

  it('leaves nothing behind when the disk is full', async () => {
    await addContent()
    // Simulates a full disk for this process only, by limiting files to 4 kB.
    const path = join(folder, 'small')
    const { code, stderr } = await runCli(['backup', path], sourceEnv(), '', { maxFileKb: 4 })
    expect(stderr).toMatch(/^No backup was made\. The file exceeds the maximum file size\./m)
    expect(code).toBe(1)
    expect((await readdir(folder)).filter((name) => name.startsWith('small'))).toEqual([])
  })

  it('creates a file with mode 600, verifies it, and is audited', async () => {
    await addContent()
    const path = await backUp()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const { code, stdout } = await runCli(['backup', path, '--verify'], sourceEnv())
    expect(code).toBe(0)
    expect(stdout).toMatch(/is complete and unchanged/)
    expect(stdout).toMatch(/files {5}1 file/)
    const entries = await app.deps.db.selectFrom('audit_log').select(['action', 'actor_id']).execute()
    expect(entries).toContainEqual({ action: 'backup.made', actor_id: null })
  })
})

describe('lyceum restore', () => {
  it('refuses an invalid backup and a target in use, and changes nothing', async () => {
    const other = join(folder, 'other')
    await writeFile(other, 'hello')
    expect(expectRefused(await runCli(['restore', other], targetEnv()))).toMatch(
      /Nothing was restored.*cannot be used/,
    )
    expect(expectRefused(await runCli(['restore', join(folder, 'none')], targetEnv()))).toMatch(
      /does not exist/,
    )
    const path = await backUp()
    const before = await digests(sourceEnv())
    const inUse = await runCli(['restore', path], sourceEnv())
    expect(expectRefused(inUse)).toMatch(/is not empty|is in use/)
    expect(await digests(sourceEnv())).toEqual(before)
  })

  it('restores rows and files into an empty target', async () => {
    const documentId = await addContent()
    const path = await backUp()
    const { code, stdout, stderr } = await runCli(['restore', path], targetEnv())
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toMatch(/ 1 file as /)
    await expectSameRowsExcept(sourceEnv(), targetEnv(), changedTables)
    const after = await digests(targetEnv())
    expect(after.get('sessions')).toBe('0 0')
    const db = openDatabase(
      target.url ? { postgres: target.url, poolSize: 1 } : { sqlite: join(targetFolder, 'lyceum.db') },
    )
    try {
      const version = await db
        .selectFrom('document_versions')
        .select(['file_key', 'document_id'])
        .executeTakeFirstOrThrow()
      expect(version.document_id).toBe(documentId)
      const files = await createLocalFiles(join(targetFolder, 'blobs'))
      expect(await files.size(version.file_key)).toBe(34)
      // The sequences continue after the last restored row.
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

  it('restores a backup of one database into the other', async () => {
    await addContent()
    const path = await backUp()
    // Always SQLite, even when the suite runs on PostgreSQL.
    const { code } = await runCli(['restore', path], envOf(targetFolder))
    expect(code).toBe(0)
    await expectSameRowsExcept(sourceEnv(), envOf(targetFolder), changedTables)
  })

  it('expires pending invitations, drops emails, and releases leases', async () => {
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
    expect((await runCli(['restore', path], envOf(targetFolder))).code).toBe(0)
    const restored = openDatabase({ sqlite: join(targetFolder, 'lyceum.db') })
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

  it('includes the secrets only with --with-secrets, and restores them', async () => {
    const secrets = await readFile(join(app.folder, 'secrets.json'), 'utf8')
    const passphrase = { BACKUP_PASSPHRASE: 'lantern orchard 42' }
    const path = await backUp(['--with-secrets'], passphrase)
    expect(expectRefused(await runCli(['restore', path], envOf(targetFolder)))).toMatch(/encrypted/)
    expect((await runCli(['restore', path], { ...envOf(targetFolder), ...passphrase })).code).toBe(0)
    expect(await readFile(join(targetFolder, 'secrets.json'), 'utf8')).toBe(secrets)
    expect((await stat(join(targetFolder, 'secrets.json'))).mode & 0o777).toBe(0o600)
  })

  it('moves the old content aside with --replace, and keeps secrets and backups', async () => {
    const path = await backUp()
    const first = await runCli(['restore', path], envOf(targetFolder))
    expect(first.code).toBe(0)
    await writeFile(join(targetFolder, 'secrets.json'), await readFile(join(app.folder, 'secrets.json')), {
      mode: 0o600,
    })
    await mkdir(join(targetFolder, 'backups'))
    await copyFile(path, join(targetFolder, 'backups', 'mine'))
    const again = await runCli(
      ['restore', join(targetFolder, 'backups', 'mine'), '--replace'],
      envOf(targetFolder),
    )
    expect(again.code).toBe(0)
    const names = await readdir(targetFolder)
    const aside = names.find((name) => name.startsWith('before-restore-')) ?? ''
    expect(names.toSorted()).toEqual(
      [...['backups', 'blobs', 'lock.db', 'lyceum.db', 'secrets.json'], aside].toSorted(),
    )
    expect(await readdir(join(targetFolder, aside))).toContain('lyceum.db')
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
    expect(expectRefused(await runCli(['restore', path], envOf(targetFolder)))).toMatch(
      /newer version of Lyceum/,
    )
    expect(await readdir(targetFolder)).toEqual(['lock.db'])
  })

  it('upgrades an older backup', async () => {
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
    const { code, stderr } = await runCli(['restore', path], envOf(targetFolder))
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const restored = openDatabase({ sqlite: join(targetFolder, 'lyceum.db') })
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
  it('refuses an invalid PostgreSQL address and a folder without a database', async () => {
    const { code, stderr } = await runCli(['migrate-to', 'mysql://x'], envOf(targetFolder))
    expect([code, stderr]).toEqual([2, expect.stringMatching(/must begin with postgres/)])
    expect(expectRefused(await runCli(['migrate-to', 'postgres://x'], envOf(targetFolder)))).toMatch(
      /no database/,
    )
  })

  it('copies everything including sessions into an empty database, and does not change the file', async () => {
    if (!target.url) return
    await addContent()
    expect((await runCli(['restore', await backUp()], envOf(targetFolder))).code).toBe(0)
    const source = openDatabase({ sqlite: join(targetFolder, 'lyceum.db') })
    const { id } = await source.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const times = { created_at: 1, last_seen_at: 1, expires_at: Date.now() + 1_000_000 }
    await source
      .insertInto('sessions')
      .values({ id: 's', user_id: id, ip: '', user_agent: '', browser_id: null, ...times })
      .execute()
    await source.destroy()
    const before = await digests(envOf(targetFolder))
    const { code, stdout, stderr } = await runCli(['migrate-to', target.url], envOf(targetFolder))
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toMatch(/set DATABASE_URL/)
    expect(await digests(envOf(targetFolder))).toEqual(before)
    await expectSameRowsExcept(envOf(targetFolder), targetEnv(), ['audit_log'])
    expect(before.get('sessions')).toMatch(/^1 /)
    const again = await runCli(['migrate-to', target.url], envOf(targetFolder))
    expect(again.stderr).toMatch(/Nothing was moved.*is in use/)
  })

  it('leaves the target empty when it cannot store a row', async () => {
    if (!target.url) return
    await mkdir(targetFolder)
    const source = openDatabase({ sqlite: join(targetFolder, 'lyceum.db') })
    await migrate(source)
    await source.insertInto('settings').values({ key: 'good', value: '1', updated_at: 1 }).execute()
    // PostgreSQL does not store NUL in text.
    await source.insertInto('settings').values({ key: 'bad', value: 'a\0b', updated_at: 1 }).execute()
    await source.destroy()
    const { code, stderr } = await runCli(['migrate-to', target.url], envOf(targetFolder))
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Nothing was moved\. /)])
    expect((await digests(targetEnv())).get('settings')).toBe('0 0')
  })
})

describe('an interrupted restore', () => {
  const marker = {
    database: 'sqlite' as const,
    aside: 'before-restore-1',
    stays: ['lock.db'],
    phase: 'aside' as const,
  }
  async function interruptRestore(): Promise<void> {
    await mkdir(join(targetFolder, 'restoring'), { recursive: true })
    await writeFile(join(targetFolder, 'lyceum.db'), 'old')
    await writeFile(join(targetFolder, 'node-id'), 'old')
    await writeFile(join(targetFolder, 'restoring', 'lyceum.db'), 'new')
    await markFolder(targetFolder, marker)
  }

  it('prevents all commands from running on the folder', async () => {
    await interruptRestore()
    const answer = await runCli(['admin', 'setup-link'], envOf(targetFolder))
    expect(expectRefused(answer)).toMatch(/interrupted.*restore --finish/)
    expect(expectRefused(await runCli(['restore', 'x'], envOf(targetFolder)))).toMatch(/interrupted/)
  })

  it.each([
    'before anything moved',
    'with some old files moved',
    'with all old files moved',
    'with the new files moved',
  ])('can be finished when interrupted %s', async (when) => {
    await interruptRestore()
    const aside = join(targetFolder, 'before-restore-1')
    if (when !== 'before anything moved') {
      await mkdir(aside)
      await copyFile(join(targetFolder, 'node-id'), join(aside, 'node-id'))
      await rm(join(targetFolder, 'node-id'))
    }
    if (when === 'with all old files moved') {
      await copyFile(join(targetFolder, 'lyceum.db'), join(aside, 'lyceum.db'))
      await rm(join(targetFolder, 'lyceum.db'))
    }
    if (when === 'with the new files moved') {
      await copyFile(join(targetFolder, 'lyceum.db'), join(aside, 'lyceum.db'))
      await copyFile(join(targetFolder, 'restoring', 'lyceum.db'), join(targetFolder, 'lyceum.db'))
      await rm(join(targetFolder, 'restoring'), { recursive: true })
      await markFolder(targetFolder, { ...marker, phase: 'in' })
    }
    const { code } = await runCli(['restore', '--finish'], envOf(targetFolder))
    expect(code).toBe(0)
    expect(await readFile(join(targetFolder, 'lyceum.db'), 'utf8')).toBe('new')
    expect(await readFile(join(aside, 'lyceum.db'), 'utf8')).toBe('old')
    expect((await readdir(targetFolder)).filter((name) => name.startsWith(restoreMarker))).toEqual([])
  })

  it('is reported as missing by --finish when there is none', async () => {
    await mkdir(targetFolder)
    expect(expectRefused(await runCli(['restore', '--finish'], envOf(targetFolder)))).toMatch(/No restore/)
    await expect(
      moveIntoPlace(targetFolder, { ...marker, aside: null, phase: 'in' }),
    ).resolves.toBeUndefined()
  })
})
