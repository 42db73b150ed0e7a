import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import type { FileReply } from '../../file-reply.ts'
import { readSetting } from './store.ts'

const stored = z.object({ fileKey: z.string(), mimeType: z.string(), size: z.number() })

/** The picture behind the dashboard; nothing at all, which is no error, where none was set. */
export const dashboardBackground = async (deps: Deps): Promise<FileReply> => {
  const setting = stored.safeParse(await readSetting(deps.db, 'dashboardBackground'))
  if (!setting.success) return { content: Buffer.alloc(0), mimeType: 'application/octet-stream', size: 0 }
  const { fileKey, mimeType, size } = setting.data
  return { content: await deps.files.open(fileKey), mimeType, size }
}
