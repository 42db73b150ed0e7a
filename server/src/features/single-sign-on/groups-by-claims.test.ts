import { auditApi } from '@lyceum/contract/audit'
import { channelsApi } from '@lyceum/contract/channels'
import { groupsApi } from '@lyceum/contract/groups'
import {
  type ClaimRule,
  getLogoutPath,
  getRedirectPath,
  singleSignOnApi,
} from '@lyceum/contract/single-sign-on'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestChannel, type TestUser } from '#testing/factories.ts'
import { createGroupCalls, type GroupCalls } from '#testing/groups.ts'
import { startOidcProvider, type TestProvider } from '#testing/oidc-provider.ts'
import { addTestIssuer, issuerId, signInAtProvider } from '#testing/single-sign-on.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
let provider: TestProvider
let groups: GroupCalls
let channelId: string
let groupId: string
beforeEach(async () => {
  app = await buildTestApp()
  provider = await startOidcProvider({
    redirectUri: `${app.deps.env.PUBLIC_URL}${getRedirectPath(issuerId)}`,
    logoutUri: `${await app.url()}${getLogoutPath(issuerId)}`,
  })
  admin = await addTestIssuer(app, provider.issuer)
  groups = createGroupCalls(app, admin)
  channelId = await createTestChannel(app.deps, { name: 'Handbook' })
  groupId = await groups.create({ name: 'Sales', channels: [channelId] })
})
afterEach(async () => {
  await app.close()
  await provider.close()
})

async function setRules(...rules: Partial<ClaimRule>[]) {
  const { body } = await app.call(singleSignOnApi.get, { as: admin })
  const [issuer] = body.issuers
  if (!issuer) throw new Error('no issuer')
  const none = { claim: 'groups', value: 'staff', channelIds: [], groupIds: [], isAdmin: false }
  return app.call(singleSignOnApi.change, {
    as: admin,
    params: { issuerId },
    body: { ...issuer, rules: rules.map((rule) => ({ ...none, ...rule })) },
  })
}
async function signInWith(...values: string[]): Promise<TestUser> {
  provider.accounts.set('ada', {
    ...{ email: 'ada@example.org', email_verified: true, name: 'Ada' },
    groups: values,
  })
  const { body } = await signInAtProvider(app, { login: 'ada' })
  if (!body.user || !body.token) throw new Error(body.message)
  return { id: body.user._id, email: body.user.email, name: body.user.name, token: body.token }
}
async function listMembers() {
  return (await app.call(groupsApi.members, { as: admin, params: { id: groupId } })).body.items
}
async function listChannelMembers() {
  return (await app.call(channelsApi.members, { as: admin, params: { id: channelId } })).body.items
}
const acme = { _id: issuerId, name: 'Acme' }

describe('a group in a rule', () => {
  it('is not joined without the value, and a rule must give something', async () => {
    expect((await setRules({})).status).toBe(400)
    await setRules({ groupIds: [groupId] })
    await signInWith('visitors')
    expect(await listMembers()).toEqual([])
  })

  it('is joined and left at each sign-in, with its channels', async () => {
    await setRules({ groupIds: [groupId, 'deleted'] })
    const ada = await signInWith('staff')
    expect(await listMembers()).toMatchObject([{ _id: ada.id, isByHand: false, issuers: [acme] }])
    expect(await groups.listChannelsOf(ada)).toEqual([channelId])
    await signInWith('staff')
    await signInWith()
    expect([await listMembers(), await groups.listChannelsOf(ada)]).toEqual([[], []])
    const { body } = await app.call(auditApi.list, { as: admin, query: { objectId: ada.id, area: 'access' } })
    const change = { groupId, group: 'Sales', source: `issuer:${issuerId}`, channels: ['Handbook'] }
    expect(body.items).toMatchObject([
      { action: 'group.member-removed', actor: null, before: change },
      { action: 'group.member-added', actor: null, after: change },
    ])
  })

  it('keeps those who were added by hand, too', async () => {
    await setRules({ groupIds: [groupId] })
    const ada = await signInWith('staff')
    await groups.addMembers(groupId, [ada.id])
    expect(await listMembers()).toMatchObject([{ isByHand: true, issuers: [acme] }])
    await signInWith()
    expect(await listMembers()).toMatchObject([{ isByHand: true, issuers: [] }])
    expect(await groups.listChannelsOf(ada)).toEqual([channelId])
  })

  it('leaves channels that a rule of the issuer gives', async () => {
    await setRules({ groupIds: [groupId] }, { value: 'crew', channelIds: [channelId] })
    const ada = await signInWith('staff', 'crew')
    expect((await groups.accessOf(ada)).channels).toMatchObject([
      { issuers: [acme], groups: [{ _id: groupId }] },
    ])
    expect(await listChannelMembers()).toMatchObject([
      { isByHand: false, issuers: [acme], groups: [{ _id: groupId, name: 'Sales' }] },
    ])
    await signInWith('crew')
    expect((await groups.accessOf(ada)).channels).toMatchObject([{ issuers: [acme], groups: [] }])
    expect(await listChannelMembers()).toMatchObject([{ isByHand: false, issuers: [acme], groups: [] }])
  })

  it('takes members back whom an administrator removed, and says so before', async () => {
    await setRules({ groupIds: [groupId] })
    const ada = await signInWith('staff')
    const { body } = await groups.removeMembers(groupId, [ada.id])
    expect(body.message).toContain('A sign-in with Acme adds users again')
    expect(await groups.listChannelsOf(ada)).toEqual([])
    await signInWith('staff')
    expect(await groups.listChannelsOf(ada)).toEqual([channelId])
  })

  it('keeps its members when the issuer is removed, as if they had been added by hand', async () => {
    await setRules({ groupIds: [groupId] })
    const ada = await signInWith('staff')
    await app.call(singleSignOnApi.remove, { as: admin, params: { issuerId } })
    expect(await listMembers()).toMatchObject([{ _id: ada.id, isByHand: true, issuers: [] }])
    expect(await groups.listChannelsOf(ada)).toEqual([channelId])
  })

  it('gives its permissions to administrators whom a rule makes', async () => {
    await app.call(groupsApi.setPermissions, {
      as: admin,
      params: { id: groupId },
      body: { permissions: ['canViewAuditLog'] },
    })
    await setRules({ groupIds: [groupId], isAdmin: true })
    const ada = await signInWith('staff')
    expect((await app.call(auditApi.list, { as: ada })).status).toBe(200)
    const later = await signInWith()
    expect((await app.call(auditApi.list, { as: later })).status).toBe(403)
  })
})
