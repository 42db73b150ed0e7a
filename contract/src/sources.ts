import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id } from './wire.ts'

/** How many documents one call can check. */
export const maxCheckedSources = 100
const joinedIds = z.string().check(z.regex(/^[\w-]{1,64}(,[\w-]{1,64}){0,99}$/))

export const sourcesApi = {
  listDeleted: endpoint({
    method: 'GET',
    path: '/chat/:channelId/deleted-sources',
    access: 'signed-in',
    embeddedParam: 'channelId',
    summary: 'Find out which of the cited documents have been deleted',
    params: z.object({ channelId: id }),
    query: z.object({ documentIds: joinedIds }),
    reply: z.object({ documentIds: z.array(id) }),
  }),
} as const
