import { type CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { selectAccounts } from '#db/accounts.ts'
import { isPostgres } from '#db/dialect.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { selectOldVisitors, selectVisitors } from './visitor-store.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

async function readPlan({ sql: text }: CompiledQuery): Promise<string[]> {
  const plan = sql<{ detail: string }>`${sql.raw(`explain query plan ${text.replaceAll('?', "'1'")}`)}`
  return (await plan.execute(app.deps.db)).rows.map(({ detail }) => detail)
}

it('the index of visitors finds them, and is no detour to users', async () => {
  const { db } = app.deps
  if (isPostgres(db as never)) return
  for (const query of [selectOldVisitors(db, 1, 50), selectVisitors(db, 'channel', 50)])
    expect(await readPlan(query.compile())).toEqual([expect.stringMatching(/users_by_visitor_channel/)])
  const byName = selectAccounts(db).selectAll().orderBy('name').orderBy('id').limit(50)
  expect(await readPlan(byName.compile())).toEqual([expect.stringMatching(/users_by_name/)])
  const byEmail = selectAccounts(db).selectAll().where('email', '=', 'ada@example.org')
  expect(await readPlan(byEmail.compile())).toEqual([expect.not.stringMatching(/visitor|SCAN/)])
})
