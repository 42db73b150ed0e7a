import { Readable } from 'node:stream'
import type { ErrorCode } from '@lyceum/contract/errors'
import type { Tx } from '#db/client.ts'
import { ImageError, type ImageFault, type ReencodedImage } from '#providers/images/port.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { FileReply } from './file-reply.ts'
import { recordFile } from './record-file.ts'
import { scheduleFileDeletion } from './store.ts'
import { type ReceivedFile, storeFile } from './store-file.ts'

const errorCodes: Record<ImageFault, ErrorCode> = {
  type: 'image.type',
  unreadable: 'image.unreadable',
  busy: 'server.busy',
}

/** A stored background image of a channel or of the dashboard. */
export interface StoredImage {
  fileKey: string
  mimeType: string
  size: number
}

async function reencode(deps: Deps, path: string): Promise<ReencodedImage> {
  try {
    return await deps.images.reencode(path)
  } catch (error) {
    if (error instanceof ImageError) throw new AppError(errorCodes[error.fault], { cause: error })
    throw error
  }
}

/**
 * Re-encodes an uploaded image, stores it and records it. The uploaded bytes are never kept, and the stored
 * file is deleted if nothing refers to it afterwards.
 */
export async function storeImage<R>(
  deps: Deps,
  file: ReceivedFile | null,
  record: (tx: Tx, image: StoredImage) => Promise<R>,
): Promise<R> {
  if (!file || (file.name === '' && file.size === 0)) throw new AppError('image.missing')
  const { content, mimeType } = await reencode(deps, file.path)
  deps.disk.requireFreeSpace(content.length)
  const { key: fileKey, size } = await storeFile(deps, Readable.from([content]))
  return recordFile(deps, fileKey, () =>
    deps.db.transaction().execute((tx) => record(tx, { fileKey, mimeType, size })),
  )
}

/** Call it in the transaction that replaces or removes the image. A job deletes the file a day later. */
export function scheduleImageDeletion(tx: Tx, fileKey: string, now: number): Promise<void> {
  return scheduleFileDeletion(tx, [fileKey], now)
}

/** Returns the suffix of an image's URL, which changes with the image. It does not reveal the whole file key. */
export function getImageVersion(fileKey: string): string {
  return fileKey.slice(0, 8)
}

export async function openImage(deps: Deps, { fileKey, mimeType, size }: StoredImage): Promise<FileReply> {
  return {
    content: await deps.files.open(fileKey),
    mimeType,
    size,
    version: getImageVersion(fileKey),
  }
}
