import * as z from 'zod'
import type { Executor, Tx } from '#db/client.ts'
import {
  dashboardBackgroundKey,
  deleteSetting,
  lockSettings,
  readSetting,
  writeSetting,
} from '#db/settings.ts'
import {
  getImageVersion,
  openImage,
  type StoredImage,
  scheduleImageDeletion,
  storeImage,
} from '#files/images.ts'
import type { ReceivedFile } from '#files/store-file.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import type { FileReply } from '../../files/file-reply.ts'
import { audit } from '../audit/append.ts'

const storedImage = z.object({ fileKey: z.string(), mimeType: z.string(), size: z.number() })

async function readBackground(db: Executor): Promise<StoredImage | null> {
  const setting = storedImage.safeParse(await readSetting(db, dashboardBackgroundKey))
  return setting.success ? setting.data : null
}

function getUrl({ fileKey }: StoredImage): string {
  return `/api/global-settings/dashboard-background?v=${getImageVersion(fileKey)}`
}

/** The URL changes with the picture, so that browsers never show an old one from their cache. */
export async function getBackgroundUrl(db: Executor): Promise<string | null> {
  const background = await readBackground(db)
  return background && getUrl(background)
}

/** Responds with no content, which is not an error, if no background is set. */
export async function openBackground(deps: Deps): Promise<FileReply> {
  const background = await readBackground(deps.db)
  if (!background) return { content: Buffer.alloc(0), mimeType: 'application/octet-stream', size: 0 }
  return openImage(deps, background)
}

/** Returns whether there was anything to replace or remove. */
async function replaceBackground(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  next: StoredImage | null,
): Promise<boolean> {
  await lockSettings(tx)
  const earlier = await readBackground(tx)
  if (earlier === null && next === null) return false
  const now = deps.now()
  if (next === null) await deleteSetting(tx, dashboardBackgroundKey)
  else await writeSetting(tx, dashboardBackgroundKey, next, now)
  if (earlier !== null) await scheduleImageDeletion(tx, earlier.fileKey, now)
  await audit(deps, tx, {
    actor,
    action: next === null ? 'settings.background-removed' : 'settings.background-set',
    before: { dashboardBackgroundImage: earlier && getUrl(earlier) },
    after: { dashboardBackgroundImage: next && getUrl(next) },
  })
  return earlier !== null
}

export function setBackground(deps: Deps, actor: Actor, file: ReceivedFile | null) {
  return storeImage(deps, file, async (tx, picture) => {
    const isReplaced = await replaceBackground(deps, tx, actor, picture)
    const message = isReplaced ? 'Background image replaced' : 'Background image uploaded'
    return { dashboardBackgroundImage: getUrl(picture), message }
  })
}

/** Does nothing if no background is set. */
export async function removeBackground(deps: Deps, actor: Actor) {
  const isRemoved = await deps.db.transaction().execute((tx) => replaceBackground(deps, tx, actor, null))
  return { message: isRemoved ? 'Background image removed' : 'There was no background image' }
}
