import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Db, openDatabase } from '../client.ts'
import { namesContain } from '../document-search.ts'
import { foundation } from './0001-foundation.ts'
import { people } from './0002-people.ts'
import { assistants } from './0003-assistants.ts'
import { documentVersions } from './0004-document-versions.ts'

let folder: string
let db: Db
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-migration-'))
  db = openDatabase({ sqlite: join(folder, 'lyceum.db') })
})
afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true, force: true })
})

function run(statement: string) {
  return sql.raw(statement).execute(db)
}

async function addDocument(id: string, status: string, generation: string | null) {
  const quoted = generation === null ? 'null' : `'${generation}'`
  await run(`insert into documents
    (id, channel_id, title, description, original_name, status, version_id, generation, uploaded_by, reviewed_by,
      reviewed_at, created_at, updated_at)
    values ('${id}', 'c', 'Title ${id}', '', '${id}.txt', '${status}', 'v-${id}', ${quoted}, 'u', 'u', 5, 1, 1)`)
  await run(`insert into document_versions
    (id, document_id, number, kind, file_key, file_size, sha256, index_state, index_percent, index_attempts, created_at)
    values ('v-${id}', '${id}', 1, 'txt', 'f-${id}', 1, 'h-${id}', 'none', 0, 0, 1)`)
}

describe('the migration to versions', () => {
  it('creates the first version of each document and indexes document names', async () => {
    for (const step of [foundation, people, assistants]) await step.up(db)
    await run(`insert into users (id, email, name, role, is_system_admin, password_hash, created_at)
      values ('u', 'u@example.org', 'Ada', 'admin', 0, '-', 1)`)
    await run(`insert into channels
      (id, name, description, system_prompt, llm_model, strict_documents_only, use_assistant, assistant_id, created_at, updated_at)
      values ('c', 'Channel', '', '', 'gpt-4o', 0, 0, '', 1, 1)`)
    await addDocument('ready', 'approved', 'g')
    await addDocument('building', 'approved', null)
    await addDocument('waiting', 'pending', null)
    await documentVersions.up(db)
    const documents = await db.selectFrom('documents').selectAll().orderBy('id').execute()
    expect(
      documents.map((row) => [row.id, row.approved_version_id, row.answering_version_id, row.is_proposal]),
    ).toEqual([
      ['building', 'v-building', null, 0],
      ['ready', 'v-ready', 'v-ready', 0],
      ['waiting', null, null, 0],
    ])
    const version = await db
      .selectFrom('document_versions')
      .selectAll()
      .where('id', '=', 'v-ready')
      .executeTakeFirstOrThrow()
    expect(version).toMatchObject({
      status: 'approved',
      original_name: 'ready.txt',
      uploaded_by: 'u',
      reviewed_by: 'u',
      reviewed_at: 5,
      released_at: null,
    })
    const found = await db.selectFrom('documents').select('id').where(namesContain(db, 'TLE BUIL')).execute()
    expect(found).toEqual([{ id: 'building' }])
  })
})
