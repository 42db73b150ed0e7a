import { type Attachment, attachmentMimeTypes, isPictureKind } from '@lyceum/contract/attachments'
import type { DocumentText } from '@lyceum/contract/documents'
import type { FileReply } from '#files/file-reply.ts'
import { scheduleFileDeletion } from '#files/store.ts'
import type { TextBlock } from '#providers/text-extraction/port.ts'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { selectBlocks, slicePages } from '../../documents/document-text.ts'
import { type ChatAddress, requireOwnChat } from '../access.ts'
import {
  type AttachmentRow,
  deleteUnsentAttachment,
  findAttachment,
  findAttachmentText,
  listAttachments,
} from './attachment-store.ts'

interface AttachmentAddress extends ChatAddress {
  attachmentId: string
}

export function presentAttachment(row: AttachmentRow): Attachment {
  return { _id: row.id, name: row.name, fileType: row.kind, fileSize: row.file_size, pages: row.pages }
}

async function requireOwnAttachment(
  deps: Deps,
  actor: Actor,
  address: AttachmentAddress,
): Promise<AttachmentRow> {
  const chat = await requireOwnChat(deps, actor, address)
  const attachment = await findAttachment(deps.db, chat.id, address.attachmentId)
  if (!attachment) throw notFound()
  return attachment
}

export async function listUnsent(
  deps: Deps,
  actor: Actor,
  address: ChatAddress,
): Promise<{ attachments: Attachment[] }> {
  const chat = await requireOwnChat(deps, actor, address)
  const rows = await listAttachments(deps.db, chat.id)
  return { attachments: rows.filter(({ message_id }) => message_id === null).map(presentAttachment) }
}

/** Deletes a file that is not sent yet. */
export async function removeAttachment(
  deps: Deps,
  actor: Actor,
  address: AttachmentAddress,
): Promise<{ message: string }> {
  const { id, chat_id, name } = await requireOwnAttachment(deps, actor, address)
  await deps.db.transaction().execute(async (tx) => {
    const fileKey = await deleteUnsentAttachment(tx, chat_id, id)
    if (fileKey === undefined) throw new AppError('attachment.sent')
    await scheduleFileDeletion(tx, [fileKey], deps.now())
  })
  return { message: `“${name}” was removed` }
}

export async function downloadAttachment(
  deps: Deps,
  actor: Actor,
  address: AttachmentAddress,
): Promise<FileReply> {
  const { file_key, kind, file_size, name, sha256 } = await requireOwnAttachment(deps, actor, address)
  const content = await deps.files.open(file_key)
  const file = { content, mimeType: attachmentMimeTypes[kind], size: file_size, name }
  // Pages show pictures, so browsers may cache them.
  return isPictureKind(kind) ? { ...file, version: sha256 } : file
}

export async function readAttachmentText(
  deps: Deps,
  actor: Actor,
  address: AttachmentAddress,
  start = 0,
): Promise<DocumentText> {
  const { id, name, kind } = await requireOwnAttachment(deps, actor, address)
  if (isPictureKind(kind)) throw notFound()
  const stored = await findAttachmentText(deps.db, id)
  if (!stored) throw notFound()
  const blocks = JSON.parse(stored.blocks) as TextBlock[]
  const pages = slicePages(stored.text, blocks, start)
  return {
    title: name,
    fileType: kind,
    pages,
    blocks: selectBlocks(blocks, pages),
    total: stored.text.length,
  }
}
