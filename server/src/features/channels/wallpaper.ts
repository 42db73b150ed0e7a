import type { Tx } from '#db/client.ts'
import type { FileReply } from '#files/file-reply.ts'
import { openImage, scheduleImageDeletion, storeImage } from '#files/images.ts'
import type { ReceivedFile } from '#files/store-file.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import {
  type ChannelForUser,
  requireAdministeredChannel,
  requireLockedChannel,
  requireVisibleChannel,
} from './access.ts'
import { createWallpaperUrl } from './present.ts'
import { updateChannel } from './store.ts'

/** All images are converted to this type before they are stored. */
const mimeType = 'image/webp'

const changeWallpaper = 'change its wallpaper'

/** Checks the permission again under the lock, because it may have been lost since the request began. */
async function replaceWallpaper(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  channelId: string,
  fileKey: string | null,
): Promise<ChannelForUser> {
  await requireLockedChannel(tx, channelId)
  const channel = await requireAdministeredChannel(tx, actor, channelId, changeWallpaper)
  const { name, wallpaper_file: previousKey } = channel
  if (previousKey === fileKey) return channel
  const now = deps.now()
  await updateChannel(tx, channelId, { wallpaper_file: fileKey, updated_at: now })
  if (previousKey !== null) await scheduleImageDeletion(tx, previousKey, now)
  await audit(deps, tx, {
    actor,
    action: fileKey === null ? 'channel.wallpaper-removed' : 'channel.wallpaper-set',
    object: { type: 'channel', id: channelId, name },
    before: { wallpaper: previousKey && createWallpaperUrl(channelId, previousKey) },
    after: { wallpaper: fileKey && createWallpaperUrl(channelId, fileKey) },
  })
  return channel
}

export async function setWallpaper(deps: Deps, actor: Actor, channelId: string, file: ReceivedFile | null) {
  await requireAdministeredChannel(deps.db, actor, channelId, changeWallpaper)
  return storeImage(deps, file, async (tx, { fileKey }) => {
    const { name } = await replaceWallpaper(deps, tx, actor, channelId, fileKey)
    return { wallpaper: createWallpaperUrl(channelId, fileKey), message: `“${name}” has a new wallpaper` }
  })
}

/** Does nothing when the channel has no wallpaper. */
export async function removeWallpaper(deps: Deps, actor: Actor, channelId: string) {
  await requireAdministeredChannel(deps.db, actor, channelId, changeWallpaper)
  const { name } = await deps.db
    .transaction()
    .execute((tx) => replaceWallpaper(deps, tx, actor, channelId, null))
  return { message: `“${name}” no longer has a wallpaper` }
}

export async function openWallpaper(deps: Deps, actor: Actor, channelId: string): Promise<FileReply> {
  const { wallpaper_file: fileKey } = await requireVisibleChannel(deps.db, actor, channelId)
  const size = fileKey === null ? null : await deps.files.size(fileKey)
  if (fileKey === null || size === null) throw notFound()
  return openImage(deps, { fileKey, mimeType, size })
}
