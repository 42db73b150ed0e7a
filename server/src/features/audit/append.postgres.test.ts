import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { auditAlone } from './append.ts'
import { lockAuditLog } from './store.ts'
import { verifyChain } from './verify.ts'

const connections = 5

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp({ env: { DATABASE_POOL: String(connections) } })
})
afterEach(() => app.close())

describe('auditAlone', () => {
  it('leaves connections to other requests while another server has the end of the log', async () => {
    const { db } = app.deps
    const released = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holding = db.transaction().execute(async (tx) => {
      await lockAuditLog(tx)
      locked.resolve()
      await released.promise
    })
    await locked.promise
    const entries = Array.from({ length: 3 * connections }, (_, entry) =>
      auditAlone(app.deps, { actor: null, action: 'settings.changed', after: { entry } }),
    )
    const written = Promise.all([holding, ...entries])
    try {
      expect(await db.selectFrom('audit_log').select('seq').execute()).toEqual([])
    } finally {
      released.resolve()
    }
    await written
    expect(await verifyChain(db)).toMatchObject({ entries: 3 * connections, fault: null })
  })
})
