import { createReadStream } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { type Attachment, maxAttachmentsPerChat } from '@lyceum/contract/attachments'
import type { DocumentKind } from '@lyceum/contract/documents'
import { uuidv7 } from 'uuidv7'
import type { Executor } from '#db/client.ts'
import type { ReceivedFile } from '#files/store-file.ts'
import {
  type Extraction,
  ExtractionError,
  type ExtractionFault,
  TooSlowError,
} from '#providers/text-extraction/port.ts'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { listTerms } from '../../answering/terms.ts'
import {
  allowsAttachments,
  type ChannelForUser,
  keepChannelUnchanged,
  requireMember,
  requireNotArchived,
} from '../../channels/access.ts'
import { extractionMessages } from '../../documents/indexing/index-reasons.ts'
import { splitPassages } from '../../documents/indexing/passages.ts'
import { normalizeFileName } from '../../documents/upload/file-name.ts'
import { checkFile, requireFile, storeThenRecord } from '../../documents/upload/receive-file.ts'
import { type ChatAddress, requireOwnChat } from '../access.ts'
import { lockOwnChat } from '../store.ts'
import { type AttachmentRow, insertAttachment, listAttachments, type NewPassage } from './attachment-store.ts'
import { presentAttachment } from './attachments.ts'
import { checkPicture, requirePicturesTaken } from './check-picture.ts'

/**
 * In all files of a chat, estimated. Together with the next limit, it allows 2,000 passages, so that a search that reads
 * all of them stays short.
 */
const maxTokensPerChat = 400_000
/** A shorter passage counts as one of this size. */
const minTokensPerPassage = 200
/** Work before yielding to other requests. */
const maxBlockMs = 8

export function requireAttachmentsAllowed(channel: ChannelForUser): void {
  if (!allowsAttachments(channel)) throw new AppError('channel.no_attachments')
}

async function requireAccepted(
  deps: Deps,
  db: Executor,
  channel: ChannelForUser,
  isPicture: boolean,
): Promise<void> {
  requireAttachmentsAllowed(channel)
  requireNotArchived(channel)
  if (isPicture) await requirePicturesTaken(deps, db, channel)
}

async function requireRoomInChat(tx: Executor, chatId: string, tokens: number): Promise<void> {
  const known = await listAttachments(tx, chatId)
  if (known.length >= maxAttachmentsPerChat) throw new AppError('attachment.chat_full')
  if (known.reduce((sum, row) => sum + row.tokens, tokens) > maxTokensPerChat)
    throw new AppError('attachment.too_long')
}

function createReadingError(fault: ExtractionFault | 'slow', cause: unknown): AppError {
  if (fault === 'too_much_text' || fault === 'too_many_pages')
    return new AppError('attachment.too_long', { cause })
  const message =
    fault === 'slow' || fault === 'timeout'
      ? 'Reading this file takes too long. Please attach a shorter one.'
      : extractionMessages[fault]
  return new AppError('attachment.unreadable', { message, cause })
}

/** Reads the text while the sender waits, so in the quick lane only. */
async function readFile(deps: Deps, path: string, kind: DocumentKind): Promise<Extraction> {
  try {
    return await deps.textExtractor.extract({
      kind,
      lane: 'quick',
      open: async () => createReadStream(path),
    })
  } catch (error) {
    if (error instanceof TooSlowError) throw createReadingError('slow', error)
    if (error instanceof ExtractionError) throw createReadingError(error.fault, error)
    throw error
  }
}

/** Yields while splitting, so that a long text does not delay other requests. */
async function createPassages(
  name: string,
  extracted: Extraction,
): Promise<{ passages: NewPassage[]; tokens: number }> {
  const passages: NewPassage[] = []
  let tokens = 0
  let pauseAt = performance.now() + maxBlockMs
  for (const passage of splitPassages(extracted)) {
    tokens += Math.max(passage.tokens, minTokensPerPassage)
    if (tokens > maxTokensPerChat) throw new AppError('attachment.too_long')
    passages.push({
      ordinal: passage.ordinal,
      page: passage.page,
      page_turns: JSON.stringify(passage.pageBreaks),
      heading_path: JSON.stringify(passage.headingPath),
      char_start: passage.charStart,
      char_end: passage.charEnd,
      text: passage.text,
      terms: listTerms([name, ...passage.headingPath, passage.text].join('\n')).join(' '),
      tokens: passage.tokens,
    })
    if (performance.now() < pauseAt) continue
    await setImmediate()
    pauseAt = performance.now() + maxBlockMs
  }
  if (passages.length === 0) throw createReadingError('no_text', undefined)
  return { passages, tokens }
}

/** What is stored of a file: pictures have neither text nor passages. */
interface ReadFile {
  isPicture: boolean
  columns: Pick<AttachmentRow, 'kind' | 'name' | 'pages' | 'tokens'>
  text: Pick<Extraction, 'text' | 'blocks'>
  passages: NewPassage[]
}

async function readPicture(
  deps: Deps,
  channel: ChannelForUser,
  file: ReceivedFile,
  name: string,
): Promise<ReadFile | null> {
  const picture = await checkPicture(file)
  if (!picture) return null
  await requirePicturesTaken(deps, deps.db, channel)
  deps.disk.requireFreeSpace(file.size)
  const columns = { ...picture, name, pages: null }
  return { isPicture: true, columns, text: { text: '', blocks: [] }, passages: [] }
}

async function readDocument(deps: Deps, file: ReceivedFile, name: string): Promise<ReadFile> {
  const { kind } = await checkFile(deps, file, name)
  const text = await readFile(deps, file.path, kind)
  const { passages, tokens } = await createPassages(name, text)
  return { isPicture: false, columns: { kind, name, pages: text.pages, tokens }, text, passages }
}

/**
 * Stores a file of the user's own chat with its text, or a picture. It belongs to no message until one is sent that
 * names it, and it is never added to the search index of the channel.
 */
export async function uploadAttachment(
  deps: Deps,
  actor: Actor,
  address: ChatAddress,
  received: ReceivedFile | null,
): Promise<Attachment> {
  const { channelId, chatId } = address
  await requireOwnChat(deps, actor, address)
  const channel = await requireMember(deps.db, actor, channelId)
  await requireAccepted(deps, deps.db, channel, false)
  await requireRoomInChat(deps.db, chatId, 0)
  const file = requireFile(received)
  const name = normalizeFileName(file.name)
  const { isPicture, columns, text, passages } =
    (await readPicture(deps, channel, file, name)) ?? (await readDocument(deps, file, name))
  return storeThenRecord(deps, file.path, (stored) =>
    deps.db.transaction().execute(async (tx) => {
      await keepChannelUnchanged(tx, channelId)
      const chat = await lockOwnChat(tx, actor.userId, channelId, chatId)
      if (!chat) throw notFound()
      const current = await requireMember(tx, actor, channelId)
      await requireAccepted(deps, tx, current, isPicture)
      await requireRoomInChat(tx, chatId, columns.tokens)
      const row = {
        id: uuidv7(),
        chat_id: chatId,
        message_id: null,
        ...columns,
        file_key: stored.key,
        file_size: stored.size,
        sha256: stored.sha256,
        created_at: deps.now(),
      }
      await insertAttachment(
        tx,
        { ...row, text: text.text, blocks: JSON.stringify(text.blocks) },
        passages.map((passage) => ({ ...passage, attachment_id: row.id })),
      )
      return presentAttachment(row)
    }),
  )
}
