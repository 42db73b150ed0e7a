import { channelsApi } from '@lyceum/contract/channels'
import type { Http } from '#http/endpoint.ts'
import type { Deps } from '../../deps.ts'
import { setArchived } from './archive.ts'
import {
  changeChannel,
  createChannel,
  getVisibleChannel,
  listVisibleChannels,
  removeChannel,
} from './channels.ts'
import { grantAccess, listVisibleMembers, revokeAccess, setChannelAdmin } from './members.ts'
import { setStarterQuestions } from './starter-questions.ts'
import { openWallpaper, removeWallpaper, setWallpaper } from './wallpaper.ts'

export function channelsRoutes(http: Http, deps: Deps): void {
  http.serve(channelsApi.list, ({ actor, query }) => listVisibleChannels(deps, actor, query))
  http.serve(channelsApi.get, ({ actor, params }) => getVisibleChannel(deps, actor, params.id))
  http.serve(channelsApi.create, ({ actor, body }) => createChannel(deps, actor, body))
  http.serve(channelsApi.update, ({ actor, params, body }) => changeChannel(deps, actor, params.id, body))
  http.serve(channelsApi.remove, ({ actor, params }) => removeChannel(deps, actor, params.id))
  http.serve(channelsApi.archive, ({ actor, params, body }) =>
    setArchived(deps, actor, params.id, body.isArchived),
  )
  http.serve(channelsApi.members, ({ actor, params, query }) =>
    listVisibleMembers(deps, actor, params.id, query),
  )
  http.serve(channelsApi.grant, ({ actor, params, body }) => grantAccess(deps, actor, params.id, body.userId))
  http.serve(channelsApi.revoke, ({ actor, params, body }) =>
    revokeAccess(deps, actor, params.id, body.userId),
  )
  http.serve(channelsApi.setChannelAdmin, ({ actor, params, body }) =>
    setChannelAdmin(deps, actor, { channelId: params.id, userId: params.userId }, body.isAdmin),
  )
  http.serve(channelsApi.setStarters, ({ actor, params, body }) =>
    setStarterQuestions(deps, actor, params.id, body.starterQuestions),
  )
  http.serve(channelsApi.setWallpaper, ({ actor, params, file }) =>
    setWallpaper(deps, actor, params.id, file),
  )
  http.serve(channelsApi.removeWallpaper, ({ actor, params }) => removeWallpaper(deps, actor, params.id))
  http.serve(channelsApi.wallpaper, ({ actor, params }) => openWallpaper(deps, actor, params.id))
}
