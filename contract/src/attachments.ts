import * as z from 'zod/mini'
import { documentKinds, documentText, mimeTypes } from './documents.ts'
import { endpoint } from './endpoint.ts'
import { confirmation, id } from './wire.ts'

/** How many files can be attached to one message. */
export const maxAttachmentsPerMessage = 5
/** How many files a chat can have, including those that are not sent yet. */
export const maxAttachmentsPerChat = 20

export const pictureKinds = ['png', 'jpeg', 'webp', 'gif'] as const
export type PictureKind = (typeof pictureKinds)[number]

export const attachmentKind = z.enum([...documentKinds, ...pictureKinds])
export type AttachmentKind = z.output<typeof attachmentKind>

export const attachmentMimeTypes: Record<AttachmentKind, string> = {
  ...mimeTypes,
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
}

export const maxPictureBytes = 5 * 1024 * 1024
/** On each side, in pixels. */
export const maxPictureSide = 8000

export function isPictureKind(kind: AttachmentKind): kind is PictureKind {
  return pictureKinds.some((known) => known === kind)
}

/** A file that a user attached to a message. Replies in this chat can use it, and cite it unless it is a picture. */
export const attachment = z.object({
  _id: id,
  name: z.string(),
  fileType: attachmentKind,
  /** Bytes. */
  fileSize: z.number(),
  /** Null if the format has no pages. */
  pages: z.nullable(z.number()),
})
export type Attachment = z.output<typeof attachment>

export const attachmentIds = z.array(id).check(
  z.overwrite((ids) => [...new Set(ids)]),
  z.maxLength(maxAttachmentsPerMessage, `At most ${maxAttachmentsPerMessage} files`),
)

const chatParams = z.object({ channelId: id, chatId: id })
const attachmentParams = z.object({ channelId: id, chatId: id, attachmentId: id })

export const attachmentsApi = {
  list: endpoint({
    method: 'GET',
    path: '/chat/:channelId/chats/:chatId/attachments',
    access: 'signed-in',
    summary: 'List the files that you have uploaded to your chat and not sent yet, oldest first',
    params: chatParams,
    reply: z.object({ attachments: z.array(attachment) }),
  }),
  upload: endpoint({
    method: 'POST',
    path: '/chat/:channelId/chats/:chatId/attachments',
    access: 'signed-in',
    limit: 'upload',
    summary: 'Upload a file or picture to your chat; it is attached to the message that names it',
    params: chatParams,
    upload: { field: 'file', kind: 'document', fields: z.object({}) },
    reply: attachment,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/chat/:channelId/chats/:chatId/attachments/:attachmentId',
    access: 'signed-in',
    summary: 'Delete a file that is not sent yet',
    params: attachmentParams,
    reply: confirmation,
  }),
  download: endpoint({
    method: 'GET',
    path: '/chat/:channelId/chats/:chatId/attachments/:attachmentId/download',
    access: 'signed-in',
    summary: 'Download a file of your chat',
    params: attachmentParams,
    reply: 'file',
    contentTypes: Object.values(attachmentMimeTypes),
  }),
  text: endpoint({
    method: 'GET',
    path: '/chat/:channelId/chats/:chatId/attachments/:attachmentId/text',
    access: 'signed-in',
    summary: 'Get the text of a file of your chat from `start`, at most 200,000 characters',
    params: attachmentParams,
    query: z.object({ start: z.optional(z.coerce.number().check(z.int(), z.gte(0))) }),
    reply: documentText,
  }),
} as const
