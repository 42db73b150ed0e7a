import { auditStreamApi } from '@lyceum/contract/audit-stream'
import { expect, it } from 'vitest'
import { createAdmin } from '#testing/factories.ts'
import { buildTestApp } from '#testing/test-app.ts'
import { startTestCollector } from '#testing/test-collector.ts'
import { audit, auditAlone } from '../append.ts'
import { createAuditSender } from './audit-sender.ts'

it('skips no entry whose transaction commits after others wanted to append theirs', async () => {
  const app = await buildTestApp()
  const collector = await startTestCollector()
  const sender = createAuditSender(app.workerDeps)
  const as = await createAdmin(app.deps, { isSystemAdmin: true })
  const connection = { kind: 'http', url: collector.url, format: 'json', caCertificate: '' } as const
  const receiver = { name: 'Collector', headerName: '', headerValue: '', ...connection }
  await app.call(auditStreamApi.add, { as, body: { receiver, startsAt: 'beginning' } })

  const release = Promise.withResolvers<void>()
  const appended = Promise.withResolvers<void>()
  const late = app.deps.db.transaction().execute(async (tx) => {
    await audit(app.deps, tx, { actor: null, action: 'settings.changed', after: { order: 1 } })
    appended.resolve()
    await release.promise
  })
  await appended.promise
  const next = auditAlone(app.deps, { actor: null, action: 'settings.changed', after: { order: 2 } })
  await sender.sendDue()
  expect(collector.listActions().at(-1)).toBe('settings.receiver-added')
  release.resolve()
  await Promise.all([late, next])
  await sender.sendDue()
  const rows = await app.deps.db.selectFrom('audit_log').select('seq').orderBy('seq').execute()
  expect(collector.listSeqs()).toEqual(rows.map(({ seq }) => seq))
  await collector.close()
  await app.close()
})
