import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isPostgres } from '#db/dialect.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { parseFilter } from './filter.ts'
import { selectGroupPage } from './group-store.ts'
import { selectUserPage } from './user-store.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

it.each([
  ['users', selectUserPage, null],
  ['users', selectUserPage, 'id eq "x"'],
  ['users', selectUserPage, 'userName eq "x"'],
  ['users', selectUserPage, 'externalId eq "x"'],
  ['users', selectUserPage, 'emails.value eq "x"'],
  ['users', selectUserPage, 'displayName co "x"'],
  ['groups', selectGroupPage, null],
  ['groups', selectGroupPage, 'displayName eq "x"'],
  ['groups', selectGroupPage, 'externalId eq "x"'],
  ['groups', selectGroupPage, 'id eq "x" and members eq "y"'],
] as const)('a page of %s is found through indexes', async (_what, select, filter) => {
  const { db } = app.deps
  if (isPostgres(db as never)) return
  const page = { filter: filter === null ? null : parseFilter(filter), startIndex: 1, count: 100 }
  const { sql: text } = select(db, 'directory', page).compile()
  const plan = sql<{ detail: string }>`${sql.raw(`explain query plan ${text.replaceAll('?', "'1'")}`)}`
  const steps = (await plan.execute(db)).rows.map(({ detail }) => detail)
  expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([])
  expect(steps.filter((step) => step.startsWith('SEARCH')).length).toBeGreaterThan(1)
})
