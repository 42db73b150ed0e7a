import { setImmediate } from 'node:timers/promises'
import { isPictureKind } from '@lyceum/contract/attachments'
import type { DocumentKind } from '@lyceum/contract/documents'
import type { HistoryTurn } from '#providers/assistant/turns.ts'
import type { Deps } from '../../../deps.ts'
import type { AttachedFiles } from '../../answering/answer-parts.ts'
import { findContextQuestion } from '../../answering/question.ts'
import type { MatchedPassage } from '../../answering/source-passage.ts'
import { parseQuestion } from '../../answering/terms.ts'
import type { ChannelForUser } from '../../channels/access.ts'
import { findChildren, findRoots, type MessageRow } from '../messages/message-store.ts'
import {
  type AttachmentPassageRow,
  type AttachmentRow,
  findPassages,
  listPassageTerms,
} from './attachment-store.ts'
import { type CountedPassage, countWords, selectPassages } from './rank-passages.ts'

const passagesPerBatch = 50
/** Work before yielding to other requests. */
const maxBlockMs = 8

type Question = Pick<MessageRow, 'id' | 'chat_id' | 'parent_id' | 'content'>

/** The ids of all versions of a message. An edited message keeps the files of its first version. */
async function listVersions({ db }: Deps, { chat_id, parent_id }: Question): Promise<Set<string>> {
  const versions = parent_id === null ? await findRoots(db, chat_id) : await findChildren(db, [parent_id])
  return new Set(versions.map(({ id }) => id))
}

async function* readTerms({ db }: Deps, { id }: AttachmentRow) {
  for (let from = 0; ; ) {
    const batch = await listPassageTerms(db, id, from, passagesPerBatch)
    yield* batch
    const last = batch.at(-1)
    if (!last || batch.length < passagesPerBatch) return
    from = last.ordinal + 1
  }
}

/** A file with text. */
type TextFile = AttachmentRow & { kind: DocumentKind }

function isTextFile(file: AttachmentRow): file is TextFile {
  return !isPictureKind(file.kind)
}

function toSource(row: AttachmentPassageRow, { name, kind }: TextFile, match: number): MatchedPassage {
  return {
    isAttachment: true,
    documentId: row.attachment_id,
    version: 1,
    title: name,
    fileType: kind,
    page: row.page,
    pageBreaks: JSON.parse(row.page_turns) as [number, number][],
    headingPath: JSON.parse(row.heading_path) as string[],
    charStart: row.char_start,
    charEnd: row.char_end,
    text: row.text,
    match,
  }
}

/**
 * Finds the passages in the attachments of a chat that are closest to a question. Searches by words only. Once the channel
 * no longer allows attached files, there are none.
 */
export async function findAttachedPassages(
  deps: Deps,
  { channel, question }: { channel: ChannelForUser; question: Question },
  history: readonly HistoryTurn[],
  attachments: readonly AttachmentRow[],
): Promise<AttachedFiles> {
  if (channel.allow_attachments === 0) return { hasFiles: false, passages: [] }
  const files = attachments.filter(isTextFile).filter(({ message_id }) => message_id !== null)
  if (files.length === 0) return { hasFiles: false, passages: [] }
  const versions = await listVersions(deps, question)
  const words = parseQuestion(
    [question.content, findContextQuestion(question.content, history) ?? ''].join('\n'),
  )
  const counted: CountedPassage[] = []
  let pauseAt = performance.now() + maxBlockMs
  // Newest first, so that of two equal passages the one in the newer file comes first.
  for (const file of files.toReversed())
    for await (const passage of readTerms(deps, file)) {
      counted.push({
        ...passage,
        counts: countWords(words, passage),
        isNew: versions.has(file.message_id ?? ''),
      })
      if (performance.now() < pauseAt) continue
      await setImmediate()
      pauseAt = performance.now() + maxBlockMs
    }
  const selected = selectPassages(counted, words.length)
  const rows = await findPassages(deps.db, selected)
  const passages = selected.flatMap(({ attachment_id, ordinal, match }) => {
    const row = rows.find((found) => found.attachment_id === attachment_id && found.ordinal === ordinal)
    const file = files.find(({ id }) => id === attachment_id)
    return row && file ? [toSource(row, file, match)] : []
  })
  return { hasFiles: true, passages }
}
