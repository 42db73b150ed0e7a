import { groupsApi } from '@lyceum/contract/groups'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { addChannels, removeChannel } from './group-channels.ts'
import { setGroupPermissions } from './group-permissions.ts'
import {
  changeGroup,
  createGroup,
  getGroupDetail,
  listGroupsOfChannel,
  listPresentedGroups,
} from './groups.ts'
import { addMembers, listGroupMembers, removeMembers } from './members.ts'
import { countGroupLosses, removeGroup } from './remove-group.ts'
import { getUserAccess } from './user-access.ts'

export function groupsRoutes(http: Http, deps: Deps): void {
  http.serve(groupsApi.list, ({ actor, query }) => listPresentedGroups(deps, actor, query))
  http.serve(groupsApi.create, ({ actor, body }) => createGroup(deps, actor, body))
  http.serve(groupsApi.get, ({ actor, params }) => getGroupDetail(deps, actor, params.id))
  http.serve(groupsApi.update, ({ actor, params, body }) => changeGroup(deps, actor, params.id, body))
  http.serve(groupsApi.losses, ({ actor, params }) => countGroupLosses(deps, actor, params.id))
  http.serve(groupsApi.remove, ({ actor, params }) => removeGroup(deps, actor, params.id))
  http.serve(groupsApi.members, ({ params, query }) => listGroupMembers(deps, params.id, query))
  http.serve(groupsApi.addMembers, ({ actor, params, body }) =>
    addMembers(deps, actor, params.id, body.userIds),
  )
  http.serve(groupsApi.removeMembers, ({ actor, params, body }) =>
    removeMembers(deps, actor, params.id, body.userIds),
  )
  http.serve(groupsApi.addChannels, ({ actor, params, body }) =>
    addChannels(deps, actor, params.id, body.channelIds),
  )
  http.serve(groupsApi.removeChannel, ({ actor, params }) => removeChannel(deps, actor, params))
  http.serve(groupsApi.setPermissions, ({ actor, params, body }) =>
    setGroupPermissions(deps, actor, params.id, body.permissions),
  )
  http.serve(groupsApi.accessOfUser, ({ actor, params }) => getUserAccess(deps, actor, params.id))
  http.serve(groupsApi.groupsOfChannel, ({ actor, params, query }) =>
    listGroupsOfChannel(deps, actor, params.id, query),
  )
}
