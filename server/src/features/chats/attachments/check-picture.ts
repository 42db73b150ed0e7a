import {
  isPictureKind,
  maxPictureBytes,
  maxPictureSide,
  type PictureKind,
} from '@lyceum/contract/attachments'
import type { Executor } from '#db/client.ts'
import type { ReceivedFile } from '#files/store-file.ts'
import { estimatePictureTokens } from '#providers/assistant/pictures.ts'
import { type ImageHeader, readImageHeader } from '#providers/images/image-header.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { createPictureLookup } from '../../assistants/models.ts'
import { allowsPictures, type ChannelForUser } from '../../channels/access.ts'
import { listAttachments } from './attachment-store.ts'

interface CheckedPicture {
  kind: PictureKind
  /** What a model reads for it, estimated. */
  tokens: number
}

/** Whether the pictures of a chat may be sent to the model of its channel. */
export async function takesPictures(deps: Deps, db: Executor, channel: ChannelForUser): Promise<boolean> {
  return allowsPictures(channel) && (await createPictureLookup(deps, db))(channel.llm_model)
}

export async function requirePicturesTaken(deps: Deps, db: Executor, channel: ChannelForUser): Promise<void> {
  if (channel.strict_documents_only === 1)
    throw new AppError('channel.no_pictures', {
      message: 'This channel answers from documents only, so pictures cannot be attached',
    })
  if (!(await takesPictures(deps, db, channel)))
    throw new AppError('channel.no_pictures', {
      message: 'The language model of this channel does not take pictures',
    })
}

/** Checks the files that a message names, in case the channel or its model was changed after the upload. */
export async function requireNamedPicturesTaken(
  deps: Deps,
  db: Executor,
  channel: ChannelForUser,
  chatId: string,
  attachmentIds: readonly string[],
): Promise<void> {
  const named = (await listAttachments(db, chatId)).filter(({ id }) => attachmentIds.includes(id))
  if (named.some(({ kind }) => isPictureKind(kind))) await requirePicturesTaken(deps, db, channel)
}

function checkHeader({ kind, size }: ImageHeader, bytes: number): CheckedPicture {
  if (bytes > maxPictureBytes) throw new AppError('picture.too_large')
  if (!size) throw new AppError('picture.unreadable')
  const { width, height } = size
  if (width > maxPictureSide || height > maxPictureSide) throw new AppError('picture.too_many_pixels')
  return { kind, tokens: estimatePictureTokens(width, height) }
}

/** Recognizes a picture by its content and checks its size. Null for another file. Nothing is decoded. */
export async function checkPicture(file: ReceivedFile): Promise<CheckedPicture | null> {
  const header = await readImageHeader(file.path)
  return header && checkHeader(header, file.size)
}
