import { groupsApi } from '@lyceum/contract/groups'
import { uuidv7 } from 'uuidv7'
import type { TestUser } from './factories.ts'
import type { TestApp } from './test-app.ts'

interface NewGroup {
  name?: string
  members?: readonly string[]
  channels?: readonly string[]
}

/** The calls about groups, made by one administrator. */
export function createGroupCalls(app: TestApp, as: TestUser) {
  const calls = {
    async create({
      name = `Group ${uuidv7()}`,
      members = [],
      channels = [],
    }: NewGroup = {}): Promise<string> {
      const { body } = await app.call(groupsApi.create, { as, body: { name } })
      if (members.length > 0) await calls.addMembers(body._id, members)
      if (channels.length > 0) await calls.addChannels(body._id, channels)
      return body._id
    },
    async get(id: string) {
      return (await app.call(groupsApi.get, { as, params: { id } })).body
    },
    addMembers(id: string, userIds: readonly string[]) {
      return app.call(groupsApi.addMembers, { as, params: { id }, body: { userIds: [...userIds] } })
    },
    removeMembers(id: string, userIds: readonly string[]) {
      return app.call(groupsApi.removeMembers, { as, params: { id }, body: { userIds: [...userIds] } })
    },
    addChannels(id: string, channelIds: readonly string[]) {
      return app.call(groupsApi.addChannels, { as, params: { id }, body: { channelIds: [...channelIds] } })
    },
    removeChannel(id: string, channelId: string) {
      return app.call(groupsApi.removeChannel, { as, params: { id, channelId } })
    },
    remove(id: string) {
      return app.call(groupsApi.remove, { as, params: { id } })
    },
    async losses(id: string) {
      return (await app.call(groupsApi.losses, { as, params: { id } })).body
    },
    async accessOf(user: TestUser) {
      return (await app.call(groupsApi.accessOfUser, { as, params: { id: user.id } })).body
    },
    async listChannelsOf(user: TestUser): Promise<string[]> {
      return (await calls.accessOf(user)).channels.map(({ _id }) => _id)
    },
  }
  return calls
}

export type GroupCalls = ReturnType<typeof createGroupCalls>
