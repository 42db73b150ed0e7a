import * as z from 'zod'
import type { Executor } from '#db/client.ts'
import type { Deps } from '../../deps.ts'
import type { FileReply } from '../../file-reply.ts'
import { readSetting } from './store.ts'

const stored = z.object({ fileKey: z.string(), mimeType: z.string(), size: z.number() })

const storedBackground = async (db: Executor) => {
  const setting = stored.safeParse(await readSetting(db, 'dashboardBackground'))
  return setting.success ? setting.data : null
}

/** Where the picture is; the address changes with it, so that no browser shows an old one. */
export const backgroundUrl = async (db: Executor): Promise<string | null> => {
  const background = await storedBackground(db)
  return background && `/api/global-settings/dashboard-background?v=${background.fileKey.slice(0, 8)}`
}

/** The picture behind the dashboard; nothing at all, which is no error, where none was set. */
export const dashboardBackground = async (deps: Deps): Promise<FileReply> => {
  const background = await storedBackground(deps.db)
  if (!background) return { content: Buffer.alloc(0), mimeType: 'application/octet-stream', size: 0 }
  const { fileKey, mimeType, size } = background
  return { content: await deps.files.open(fileKey), mimeType, size }
}
