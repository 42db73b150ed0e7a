import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { KeyAccess } from '../api-keys/authenticate-key.ts'
import { type ChannelForUser, listJoinedChannels } from '../channels/access.ts'

const prefix = 'channel:'

/** A channel as a model of OpenAI's API. */
export interface ModelObject {
  id: string
  object: 'model'
  /** Seconds. */
  created: number
  owned_by: 'lyceum'
  /** Not part of OpenAI's shape. */
  name: string
}

/** Letters and digits of any script, joined by hyphens. Empty if the name has none. */
function toSlug(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

/** The channels that the key may use, in the order of their names. */
export async function listKeyChannels(
  deps: Deps,
  { actor, channelIds }: KeyAccess,
): Promise<ChannelForUser[]> {
  const joined = await listJoinedChannels(deps.db, actor)
  return channelIds === null ? joined : joined.filter(({ id }) => channelIds.has(id))
}

/** Channels whose names give the same slug are named by their ids. */
function nameModels(channels: readonly ChannelForUser[]): Map<string, ChannelForUser> {
  const slugs = Map.groupBy(channels, ({ name }) => toSlug(name))
  return new Map(
    channels.map((channel) => {
      const slug = toSlug(channel.name)
      const isUnique = slug !== '' && slugs.get(slug)?.length === 1
      return [`${prefix}${isUnique ? slug : channel.id}`, channel]
    }),
  )
}

function presentModel([id, { name, created_at }]: [string, ChannelForUser]): ModelObject {
  return { id, object: 'model', created: Math.floor(created_at / 1000), owned_by: 'lyceum', name }
}

/** The channels that the key may use. */
export async function listModels(deps: Deps, access: KeyAccess) {
  const models = nameModels(await listKeyChannels(deps, access))
  return { object: 'list', data: [...models].map(presentModel) }
}

/** Finds a channel by its slug or, with `channel:<id>`, by its id, which stays the same when it is renamed. */
export async function requireModel(deps: Deps, access: KeyAccess, model: string): Promise<ChannelForUser> {
  const channels = await listKeyChannels(deps, access)
  const channel = nameModels(channels).get(model) ?? channels.find(({ id }) => `${prefix}${id}` === model)
  if (channel) return channel
  throw new AppError('model_not_found', {
    message: `The model '${model.slice(0, 200)}' does not exist or you do not have access to it.`,
  })
}

export async function getModel(deps: Deps, access: KeyAccess, model: string): Promise<ModelObject> {
  return presentModel([model, await requireModel(deps, access, model)])
}
