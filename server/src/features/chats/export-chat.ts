import { Readable } from 'node:stream'
import type { ChatMessage } from '@lyceum/contract/chats'
import type { FileReply } from '#files/file-reply.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { requireMember } from '../channels/access.ts'
import { type ChatAddress, requireOwnChat } from './access.ts'
import { type ExportedChat, formatChatHeader, formatMessage } from './chat-markdown.ts'
import { canStillRead } from './chats.ts'
import { findBatchEnds, findPathTo } from './messages/message-store.ts'
import { presentMessages } from './messages/present.ts'
import { createViewer, type Viewer } from './messages/viewer.ts'
import type { ChatRow } from './store.ts'

type Format = 'markdown' | 'json'

/** Messages in memory at a time, however long the chat is. */
const messagesPerBatch = 20
const maxNameLength = 80

/** Yields the messages of the active path in batches, from first to last. */
async function* readBatches(
  deps: Deps,
  actor: Actor,
  chat: ChatRow,
  viewer: Viewer,
): AsyncGenerator<ChatMessage[]> {
  if (chat.active_leaf_id === null) return
  const address = { channelId: chat.channel_id, chatId: chat.id }
  for (const end of await findBatchEnds(deps.db, chat.id, chat.active_leaf_id, messagesPerBatch)) {
    const rows = await findPathTo(deps.db, chat.id, end, messagesPerBatch)
    // Fail rather than end the file early: the client notices a broken download, not a missing end.
    if (rows.length === 0 || !(await canStillRead(deps, actor, address))) throw notFound()
    yield await presentMessages(deps, viewer, rows)
  }
}

async function* generateMarkdown(
  header: ExportedChat,
  batches: AsyncIterable<ChatMessage[]>,
): AsyncGenerator<string> {
  yield formatChatHeader(header)
  for await (const messages of batches) for (const message of messages) yield formatMessage(message)
}

/** Leaves out the fields that only a live view needs. */
function toExportedMessage({
  status,
  lastEvent,
  canContinue,
  setupProblem,
  isMended,
  ...message
}: ChatMessage): Partial<ChatMessage> {
  return message
}

async function* generateJson(
  header: ExportedChat,
  chat: ChatRow,
  batches: AsyncIterable<ChatMessage[]>,
): AsyncGenerator<string> {
  const metadata = {
    format: 1,
    exportedAt: header.exportedAt,
    chat: {
      _id: chat.id,
      title: header.title,
      channel: { _id: chat.channel_id, name: header.channelName },
      createdAt: new Date(chat.created_at).toISOString(),
    },
  }
  yield `${JSON.stringify(metadata).slice(0, -1)},"messages":[`
  let separator = '\n'
  for await (const messages of batches)
    for (const message of messages) {
      yield `${separator}${JSON.stringify(toExportedMessage(message))}`
      separator = ',\n'
    }
  yield '\n]}\n'
}

/** A file name that is valid on every file system and has no invisible characters. */
function buildFileName(title: string | null, time: string, extension: string): string {
  const clean = (title ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
  const short = [...clean]
    .slice(0, maxNameLength)
    .join('')
    .replace(/[. ]+$/, '')
  return `${short === '' ? 'Chat' : short} ${time.slice(0, 10)}.${extension}`
}

/** Exports the user's own chat as a file, which is generated while it is sent. */
export async function exportChat(
  deps: Deps,
  actor: Actor,
  address: ChatAddress,
  format: Format,
): Promise<FileReply> {
  const chat = await requireOwnChat(deps, actor, address)
  const channel = await requireMember(deps.db, actor, address.channelId)
  const exportedAt = new Date(deps.now()).toISOString()
  const header = { title: chat.title, channelName: channel.name, exportedAt }
  const batches = readBatches(deps, actor, chat, createViewer(actor, channel))
  const isJson = format === 'json'
  return {
    content: Readable.from(isJson ? generateJson(header, chat, batches) : generateMarkdown(header, batches), {
      objectMode: false,
    }),
    mimeType: isJson ? 'application/json; charset=utf-8' : 'text/markdown; charset=utf-8',
    name: buildFileName(chat.title, exportedAt, isJson ? 'json' : 'md'),
  }
}
