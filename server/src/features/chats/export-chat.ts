import { Readable } from 'node:stream'
import type { ChatMessage } from '@lyceum/contract/chats'
import type { FileReply } from '#files/file-reply.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { requireMember } from '../channels/access.ts'
import { requireOwnChat } from './access.ts'
import { type ExportedChat, markdownHead, markdownMessage } from './chat-markdown.ts'
import { mayStillRead } from './chats.ts'
import { pathTo, stretchesTo } from './messages/message-store.ts'
import { presentMessages } from './messages/present.ts'
import type { ChatAddress } from './replies/begin-reply.ts'
import type { ChatRow } from './store.ts'

type Format = 'markdown' | 'json'

/** Messages in memory at a time, however long the chat is. */
const messagesAtOnce = 20
const longestName = 80

/** Yields the messages of the active path in batches, from first to last. */
async function* stretches(deps: Deps, actor: Actor, chat: ChatRow): AsyncGenerator<ChatMessage[]> {
  if (chat.active_leaf_id === null) return
  const address = { channelId: chat.channel_id, chatId: chat.id }
  for (const end of await stretchesTo(deps.db, chat.id, chat.active_leaf_id, messagesAtOnce)) {
    const rows = await pathTo(deps.db, chat.id, end, messagesAtOnce)
    // Fail rather than end the file early: the client notices a broken download, not a missing end.
    if (rows.length === 0 || !(await mayStillRead(deps, actor, address))) throw notFound()
    yield await presentMessages(deps, chat.channel_id, rows)
  }
}

async function* asMarkdown(head: ExportedChat, pages: AsyncIterable<ChatMessage[]>): AsyncGenerator<string> {
  yield markdownHead(head)
  for await (const messages of pages) for (const message of messages) yield markdownMessage(message)
}

/** Leaves out the fields that only a live view needs. */
function exported({ status, lastEvent, canContinue, ...message }: ChatMessage): Partial<ChatMessage> {
  return message
}

async function* asJson(
  head: ExportedChat,
  chat: ChatRow,
  pages: AsyncIterable<ChatMessage[]>,
): AsyncGenerator<string> {
  const about = {
    format: 1,
    exportedAt: head.exportedAt,
    chat: {
      _id: chat.id,
      title: head.title,
      channel: { _id: chat.channel_id, name: head.channelName },
      createdAt: new Date(chat.created_at).toISOString(),
    },
  }
  yield `${JSON.stringify(about).slice(0, -1)},"messages":[`
  let separator = '\n'
  for await (const messages of pages)
    for (const message of messages) {
      yield `${separator}${JSON.stringify(exported(message))}`
      separator = ',\n'
    }
  yield '\n]}\n'
}

/** A file name that is valid on every file system and has no invisible characters. */
function fileName(title: string | null, time: string, extension: string): string {
  const clean = (title ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
  const short = [...clean]
    .slice(0, longestName)
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
  const head = { title: chat.title, channelName: channel.name, exportedAt }
  const pages = stretches(deps, actor, chat)
  const isJson = format === 'json'
  return {
    content: Readable.from(isJson ? asJson(head, chat, pages) : asMarkdown(head, pages), {
      objectMode: false,
    }),
    mimeType: isJson ? 'application/json; charset=utf-8' : 'text/markdown; charset=utf-8',
    name: fileName(chat.title, exportedAt, isJson ? 'json' : 'md'),
  }
}
