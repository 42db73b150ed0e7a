import { channelsApi } from '@lyceum/contract/channels'
import { conversationsApi } from '@lyceum/contract/conversation-settings'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
let member: TestUser
let channelId: string
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps)
  channelId = await createTestChannel(app.deps)
  member = await createUser(app.deps, { channels: [channelId] })
})
afterEach(() => app.close())

async function readSettings() {
  return (await app.call(conversationsApi.get, { as: admin })).body
}
function setNotice(body: { enabled: boolean; text: string }, as = admin) {
  return app.call(conversationsApi.setNotice, { as, body })
}
function setRetention(days: number | null, as = admin) {
  return app.call(conversationsApi.setRetention, { as, body: { days } })
}
async function readChannelSettings() {
  const { body } = await app.call(channelsApi.get, { as: member, params: { id: channelId } })
  return [body.reviewNotice, body.chatsKeptDays]
}
async function listAuditEntries() {
  const rows = await app.deps.db
    .selectFrom('audit_log')
    .select(['actor_id', 'before', 'after'])
    .where('action', '=', 'settings.changed')
    .orderBy('seq')
    .execute()
  return rows.map(({ actor_id, before, after }) => [
    actor_id,
    JSON.parse(before ?? ''),
    JSON.parse(after ?? ''),
  ])
}

const defaultNotice = 'Conversations may be reviewed by administrators'
const defaults = { reviewNotice: { enabled: true, text: defaultNotice }, retention: { days: null } }

describe('conversation settings', () => {
  it('can be read by administrators, and changed with canManageSettings', async () => {
    const reader = await createAdmin(app.deps, { permissions: { canManageSettings: false } })
    expect((await app.call(conversationsApi.get, { as: member })).status).toBe(403)
    expect((await app.call(conversationsApi.get, { as: reader })).body).toEqual(defaults)
    for (const as of [member, reader])
      for (const response of [await setNotice({ enabled: false, text: 'x' }, as), await setRetention(7, as)])
        expect([response.status, response.body.message]).toEqual([
          403,
          'You do not have permission to manage settings',
        ])
    expect([await readSettings(), await listAuditEntries()]).toEqual([defaults, []])
  })

  it.each([
    ['', 'text'],
    ['   ', 'text'],
    ['x'.repeat(201), 'text'],
    ['two\nlines', 'text'],
    ['turned \u202e round', 'text'],
  ])('reject the notice %j', async (text, field) => {
    const response = await setNotice({ enabled: true, text })
    expect([response.status, Object.keys(response.body.fields ?? {})]).toEqual([400, [field]])
    expect(await readSettings()).toEqual(defaults)
  })

  it.each([0, 6, 3651, 7.5, -7])('reject a retention period of %d days', async (days) => {
    const response = await setRetention(days)
    expect([response.status, response.body.fields]).toEqual([
      400,
      { days: 'Enter 7 to 3650 days, or leave it empty' },
    ])
    expect(await readSettings()).toEqual(defaults)
  })

  it('are sent to members with their channel', async () => {
    expect(await readChannelSettings()).toEqual([defaultNotice, null])
    await setNotice({ enabled: true, text: '  The works council may read this chat ' })
    await setRetention(90)
    expect(await readChannelSettings()).toEqual(['The works council may read this chat', 90])
    await setNotice({ enabled: false, text: defaultNotice })
    expect(await readChannelSettings()).toEqual([null, 90])
    await app.deps.db.updateTable('channels').set({ retention_days: 30 }).execute()
    expect(await readChannelSettings()).toEqual([null, 30])
  })

  it('are audited with the previous value, but not if the value stays the same', async () => {
    const notice = { enabled: true, text: 'Read by the council' }
    await setNotice(notice)
    await setNotice(notice)
    await setRetention(3650)
    await setRetention(null)
    expect(await listAuditEntries()).toEqual([
      [admin.id, { reviewNotice: defaults.reviewNotice }, { reviewNotice: notice }],
      [admin.id, { retention: { days: null } }, { retention: { days: 3650 } }],
      [admin.id, { retention: { days: 3650 } }, { retention: { days: null } }],
    ])
  })

  it('keep the last of several concurrent changes, each audited with the value it replaced', async () => {
    const chosen = [10, 20, 30, 40]
    await Promise.all(chosen.map((days) => setRetention(days)))
    const changes = await listAuditEntries()
    expect(changes).toHaveLength(4)
    const afters = changes.map(([, , after]) => after.retention.days)
    expect(changes.map(([, before]) => before.retention.days)).toEqual([null, ...afters.slice(0, 3)])
    expect((await readSettings()).retention.days).toBe(afters.at(-1))
  })
})
