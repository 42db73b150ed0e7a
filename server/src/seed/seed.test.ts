import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Db, openDatabase } from '#db/client.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { type Env, readEnv } from '../env.ts'
import { lockDataFolder } from '../files/data-folder.ts'
import { seed } from './seed.ts'

let folder: string
let database: TestDatabase
let env: Env
let db: Db
let printed = ''

function capture(stream: 'stdout' | 'stderr') {
  return vi.spyOn(process[stream], 'write').mockImplementation((text) => {
    printed += text
    return true
  })
}

async function run(): Promise<number> {
  printed = ''
  const spies = [capture('stdout'), capture('stderr')]
  try {
    return await seed(env)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

let exitCode: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-seed-'))
  database = await createTestDatabase(folder)
  // An unreachable endpoint: seeding must not call it.
  env = readEnv({
    DATA_DIR: folder,
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    ...(database.url ? { DATABASE_URL: database.url } : {}),
  })
  exitCode = await run()
  db = openDatabase(database.location)
})

afterAll(async () => {
  await db.destroy()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

describe('seed', () => {
  it('fills an empty installation and prints its users', async () => {
    expect(exitCode).toBe(0)
    expect(printed).toContain('development only')
    expect(printed).toContain('ingrid@lyceum.example')
    const users = await db.selectFrom('users').select(['role', 'is_system_admin']).execute()
    expect(users).toHaveLength(8)
    expect(users.filter(({ role }) => role === 'admin')).toHaveLength(2)
    expect(users.filter(({ is_system_admin }) => is_system_admin === 1)).toHaveLength(1)
  })

  it('creates groups with members, channels and permissions, and an empty one', async () => {
    const groups = await db
      .selectFrom('user_groups')
      .leftJoin('group_members', 'group_id', 'id')
      .select(['name', 'permissions', ({ fn }) => fn.count<number>('user_id').as('members')])
      .groupBy(['name', 'permissions'])
      .orderBy('name')
      .execute()
    expect(groups.map(({ name, members }) => [name, members])).toEqual([
      ['Reading circle', 4],
      ['Safety officers', 2],
      ['Visiting students', 0],
    ])
    expect(groups[1]?.permissions).toContain('canViewAuditLog')
  })

  it('creates a document in every state', async () => {
    const rows = await db
      .selectFrom('documents')
      .innerJoin('document_versions', 'document_versions.id', 'documents.version_id')
      .select(['documents.status', 'index_state'])
      .execute()
    const states = new Set(rows.map(({ status, index_state }) => `${status} ${index_state}`))
    expect([...states].toSorted()).toEqual([
      'approved failed',
      'approved ready',
      'pending none',
      'rejected none',
    ])
  })

  it('creates a version that waits for review while the earlier one is in use, and a proposal', async () => {
    const rows = await db.selectFrom('documents').selectAll().where('status', '=', 'pending').execute()
    const replaced = rows.filter(({ answering_version_id }) => answering_version_id !== null)
    expect(replaced).toHaveLength(1)
    expect(rows.filter(({ is_proposal }) => is_proposal === 1)).toHaveLength(1)
  })

  it('creates a channel that uses a ready-made assistant', async () => {
    const named = await db
      .selectFrom('channels')
      .innerJoin('assistant_presets', 'assistant_presets.assistant_id', 'channels.assistant_id')
      .select('channels.name')
      .where('use_assistant', '=', 1)
      .execute()
    expect(named).toEqual([{ name: 'Welcome guide' }])
  })

  it('creates test questions and runs them, with one failure', async () => {
    const runs = await db.selectFrom('test_runs').select(['total', 'found']).execute()
    expect(runs).toEqual([{ total: 4, found: 3 }])
  })

  it('creates chats with citations and every reply state, and a long chat', async () => {
    const replies = await db
      .selectFrom('messages')
      .select(['state', 'mode', 'citations'])
      .where('role', '=', 'assistant')
      .execute()
    expect(new Set(replies.map(({ state }) => state))).toEqual(
      new Set(['complete', 'interrupted', 'stopped', 'failed']),
    )
    expect(new Set(replies.map(({ mode }) => mode))).toEqual(new Set(['model', 'extractive', 'refusal']))
    const cited = replies.filter(({ citations }) => citations !== null && citations !== '[]')
    expect(cited.length).toBeGreaterThanOrEqual(5)
    const lengths = await db.selectFrom('chats').select('message_count').execute()
    expect(Math.max(...lengths.map(({ message_count }) => message_count))).toBe(200)
  })

  it('leaves no messages in the future and no pending jobs', async () => {
    const later = await db.selectFrom('messages').select('id').where('created_at', '>', Date.now()).execute()
    expect(later).toEqual([])
    const due = await db.selectFrom('jobs').select('name').where('state', '!=', 'done').execute()
    expect(due).toEqual([])
  })

  it('creates an open and an expired invitation', async () => {
    const rows = await db
      .selectFrom('invitations')
      .select('expires_at')
      .where('status', '=', 'pending')
      .execute()
    expect(rows.map(({ expires_at }) => expires_at > Date.now()).toSorted()).toEqual([false, true])
  })

  it('refuses an installation that has users or is in use, in one sentence', async () => {
    expect(await run()).toBe(1)
    expect(printed).toMatch(/^This installation already has users.*\n$/)
    expect(await db.selectFrom('users').select('id').execute()).toHaveLength(8)
    const folderLock = lockDataFolder(folder)
    try {
      expect(await run()).toBe(1)
      expect(printed).toMatch(/^Another Lyceum server is already running.*\n$/)
    } finally {
      folderLock.release()
    }
  })
})
