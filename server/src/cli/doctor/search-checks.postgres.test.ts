import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPgvector } from '#testing/pgvector.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { type Finding, runCheck } from './finding.ts'
import { searchChecks } from './search-checks.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp({ env: { SEARCH: 'postgres' } })
})
afterEach(() => app.close())

function checkSearch(): Promise<Finding[]> {
  return Promise.all(searchChecks(app.deps).map(runCheck))
}

describe('the check of document search in PostgreSQL', () => {
  it('says that pgvector could be created, and warns of nothing', async () => {
    expect(await checkSearch()).toEqual([
      {
        level: 'ok',
        about: 'document search',
        text: 'PostgreSQL searches the passages. It has pgvector, which is faster, but not in this database: create extension vector',
      },
    ])
  })

  it('says that pgvector is used', async () => {
    await createPgvector(app.deps.db)
    expect(await checkSearch()).toMatchObject([
      { level: 'ok', text: 'PostgreSQL searches the passages with pgvector' },
    ])
  })
})
