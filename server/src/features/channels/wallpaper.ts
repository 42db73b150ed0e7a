import type { Tx } from '#db/client.ts'
import type { FileReply } from '#files/file-reply.ts'
import { keepPicture, openPicture, releasePicture } from '#files/pictures.ts'
import type { ReceivedFile } from '#files/store-file.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import { administers, requireLockedChannel, requireVisibleChannel, type SeenChannel } from './access.ts'
import { wallpaperUrl } from './present.ts'
import { updateChannel } from './store.ts'

/** All pictures are converted to this type before they are stored. */
const mimeType = 'image/webp'

async function requireAdministered(
  db: Deps['db'] | Tx,
  actor: Actor,
  channelId: string,
): Promise<SeenChannel> {
  const channel = await requireVisibleChannel(db, actor, channelId)
  if (administers(actor, channel)) return channel
  throw new AppError('permission.denied', {
    message: 'Only an administrator of this channel may change its wallpaper',
  })
}

/** Checks the permission again under the lock, because it may have been lost since the request began. */
async function replace(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  channelId: string,
  fileKey: string | null,
): Promise<SeenChannel> {
  await requireLockedChannel(tx, channelId)
  const channel = await requireAdministered(tx, actor, channelId)
  const { name, wallpaper_file: earlier } = channel
  if (earlier === fileKey) return channel
  const now = deps.now()
  await updateChannel(tx, channelId, { wallpaper_file: fileKey, updated_at: now })
  if (earlier !== null) await releasePicture(tx, earlier, now)
  await audit(deps, tx, {
    actor,
    action: fileKey === null ? 'channel.wallpaper-removed' : 'channel.wallpaper-set',
    object: { type: 'channel', id: channelId, name },
    before: { wallpaper: earlier && wallpaperUrl(channelId, earlier) },
    after: { wallpaper: fileKey && wallpaperUrl(channelId, fileKey) },
  })
  return channel
}

export async function setWallpaper(deps: Deps, actor: Actor, channelId: string, file: ReceivedFile | null) {
  await requireAdministered(deps.db, actor, channelId)
  return keepPicture(deps, file, async (tx, { fileKey }) => {
    const { name } = await replace(deps, tx, actor, channelId, fileKey)
    return { wallpaper: wallpaperUrl(channelId, fileKey), message: `“${name}” has a new wallpaper` }
  })
}

/** Does nothing when the channel has no wallpaper. */
export async function removeWallpaper(deps: Deps, actor: Actor, channelId: string) {
  await requireAdministered(deps.db, actor, channelId)
  const { name } = await deps.db.transaction().execute((tx) => replace(deps, tx, actor, channelId, null))
  return { message: `“${name}” no longer has a wallpaper` }
}

export async function wallpaperOf(deps: Deps, actor: Actor, channelId: string): Promise<FileReply> {
  const { wallpaper_file: fileKey } = await requireVisibleChannel(deps.db, actor, channelId)
  const size = fileKey === null ? null : await deps.files.size(fileKey)
  if (fileKey === null || size === null) throw notFound()
  return openPicture(deps, { fileKey, mimeType, size })
}
