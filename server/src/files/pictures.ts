import { Readable } from 'node:stream'
import type { ErrorCode } from '@lyceum/contract/errors'
import type { Tx } from '#db/client.ts'
import { ImageError, type ImageFault, type ReencodedImage } from '#providers/images/port.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { requireFreeSpace } from './disk-space.ts'
import type { FileReply } from './file-reply.ts'
import { filesInUse, insertRemovedFiles } from './store.ts'
import { type ReceivedFile, storeFile } from './store-file.ts'

const refusalOf: Record<ImageFault, ErrorCode> = {
  type: 'image.type',
  unreadable: 'image.unreadable',
  busy: 'server.busy',
}

/** A picture behind a channel's chats or behind the dashboard, whole on disk. */
export interface StoredPicture {
  fileKey: string
  mimeType: string
  size: number
}

async function reencode(deps: Deps, path: string): Promise<ReencodedImage> {
  try {
    return await deps.images.reencode(path)
  } catch (error) {
    if (error instanceof ImageError) throw new AppError(refusalOf[error.fault], { cause: error })
    throw error
  }
}

/** When the database cannot say, the file stays: the clean-up of orphans takes what is left over. */
async function removeUnlessUsed(deps: Deps, fileKey: string): Promise<void> {
  const used = await filesInUse(deps.db, [fileKey]).catch(() => null)
  if (used?.has(fileKey) === false) await deps.files.remove(fileKey)
}

/**
 * Makes a picture anew from what was sent, stores it and has it recorded. What was sent is never kept; what nothing
 * refers to afterwards is taken away again.
 */
export async function keepPicture<R>(
  deps: Deps,
  file: ReceivedFile | null,
  record: (tx: Tx, picture: StoredPicture) => Promise<R>,
): Promise<R> {
  if (!file || (file.name === '' && file.size === 0)) throw new AppError('image.missing')
  const { content, mimeType } = await reencode(deps, file.path)
  await requireFreeSpace(deps.env.DATA_DIR, content.length)
  const { key: fileKey, size } = await storeFile(deps, Readable.from([content]))
  try {
    return await deps.db.transaction().execute((tx) => record(tx, { fileKey, mimeType, size }))
  } finally {
    await removeUnlessUsed(deps, fileKey)
  }
}

/** Within the transaction that replaces or removes it: the file leaves the disk a day later. */
export function releasePicture(tx: Tx, fileKey: string, now: number): Promise<void> {
  return insertRemovedFiles(tx, [fileKey], now)
}

/** What its address ends in, so that it changes with the picture; too little of the key to open anything by. */
export function pictureVersion(fileKey: string): string {
  return fileKey.slice(0, 8)
}

export async function openPicture(
  deps: Deps,
  { fileKey, mimeType, size }: StoredPicture,
): Promise<FileReply> {
  return {
    content: await deps.files.open(fileKey),
    mimeType,
    size,
    version: pictureVersion(fileKey),
  }
}
