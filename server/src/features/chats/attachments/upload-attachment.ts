import { createReadStream } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { type Attachment, maxAttachmentsPerChat } from '@lyceum/contract/attachments'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
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
  type ChannelForUser,
  keepChannelUnchanged,
  requireMember,
  requireNotArchived,
} from '../../channels/access.ts'
import { extractionMessages } from '../../documents/indexing/index-reasons.ts'
import { splitPassages } from '../../documents/indexing/passages.ts'
import { normalizeFileName } from '../../documents/upload/file-name.ts'
import {
  type CheckedFile,
  checkFile,
  requireFile,
  storeThenRecord,
} from '../../documents/upload/receive-file.ts'
import { type ChatAddress, requireOwnChat } from '../access.ts'
import { lockOwnChat } from '../store.ts'
import { insertAttachment, listAttachments, type NewPassage } from './attachment-store.ts'
import { presentAttachment } from './attachments.ts'

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
  if (channel.use_assistant === 1 || channel.allow_attachments === 0)
    throw new AppError('channel.no_attachments')
}

async function requireRoomInChat(tx: Deps['db'] | Tx, chatId: string, tokens: number): Promise<void> {
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
async function readFile(deps: Deps, { path, kind }: CheckedFile): Promise<Extraction> {
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

/**
 * Stores a file of the user's own chat with its text. It belongs to no message until one is sent that names it, and it
 * is never added to the search index of the channel.
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
  requireAttachmentsAllowed(channel)
  requireNotArchived(channel)
  await requireRoomInChat(deps.db, chatId, 0)
  const file = requireFile(received)
  const checked = await checkFile(deps, file, normalizeFileName(file.name))
  const extracted = await readFile(deps, checked)
  const { passages, tokens } = await createPassages(checked.name, extracted)
  return storeThenRecord(deps, checked.path, (stored) =>
    deps.db.transaction().execute(async (tx) => {
      await keepChannelUnchanged(tx, channelId)
      const chat = await lockOwnChat(tx, actor.userId, channelId, chatId)
      if (!chat) throw notFound()
      const current = await requireMember(tx, actor, channelId)
      requireAttachmentsAllowed(current)
      requireNotArchived(current)
      await requireRoomInChat(tx, chatId, tokens)
      const row = {
        id: uuidv7(),
        chat_id: chatId,
        message_id: null,
        name: checked.name,
        kind: checked.kind,
        file_key: stored.key,
        file_size: stored.size,
        sha256: stored.sha256,
        pages: extracted.pages,
        tokens,
        created_at: deps.now(),
      }
      await insertAttachment(
        tx,
        { ...row, text: extracted.text, blocks: JSON.stringify(extracted.blocks) },
        passages.map((passage) => ({ ...passage, attachment_id: row.id })),
      )
      return presentAttachment(row)
    }),
  )
}
