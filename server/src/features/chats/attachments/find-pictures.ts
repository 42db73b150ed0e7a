import { attachmentMimeTypes, isPictureKind } from '@lyceum/contract/attachments'
import { readBase64 } from '#providers/assistant/pictures.ts'
import type { TurnPicture } from '#providers/assistant/port.ts'
import { type HistoryTurn, selectRecentTurns, type TurnPictures } from '#providers/assistant/turns.ts'
import type { Deps } from '../../../deps.ts'
import type { ChannelForUser } from '../../channels/access.ts'
import { findParents, type MessageRow } from '../messages/message-store.ts'
import type { AttachmentRow } from './attachment-store.ts'
import { takesPictures } from './check-picture.ts'

/** In a request. */
const maxPictures = 5

export interface ChatTurn extends HistoryTurn {
  parentId: string | null
}

interface PicturesOfChat {
  pictures: TurnPictures
  history: HistoryTurn[]
}

/** The picture as the model receives it; null if its file is missing, which must not prevent the reply. */
async function loadPicture(
  deps: Deps,
  { id, file_key, kind, tokens }: AttachmentRow,
): Promise<TurnPicture | null> {
  try {
    return {
      mimeType: attachmentMimeTypes[kind],
      base64: await readBase64(await deps.files.open(file_key)),
      tokens,
    }
  } catch (error) {
    deps.log.error({ err: error, attachmentId: id }, 'could not read a picture; replying without it')
    return null
  }
}

/** All versions of a message have the same parent. An edited message keeps the pictures of its first version. */
async function groupByParent(
  deps: Deps,
  chatId: string,
  attachments: readonly AttachmentRow[],
): Promise<Map<string | null, AttachmentRow[]>> {
  const sent = attachments.filter(({ kind, message_id }) => isPictureKind(kind) && message_id !== null)
  if (sent.length === 0) return new Map()
  const parents = await findParents(
    deps.db,
    chatId,
    sent.flatMap(({ message_id }) => message_id ?? []),
  )
  return Map.groupBy(
    sent.filter(({ message_id }) => parents.has(message_id ?? '')),
    ({ message_id }) => parents.get(message_id ?? '') ?? null,
  )
}

/**
 * Adds the pictures of the question and of earlier messages, the newest first up to a limit. Those beyond it, and all of
 * them if the channel or its model no longer takes pictures, are only named to the model.
 */
export async function addChatPictures(
  deps: Deps,
  { channel, question }: { channel: ChannelForUser; question: Pick<MessageRow, 'chat_id' | 'parent_id'> },
  history: readonly ChatTurn[],
  attachments: readonly AttachmentRow[],
): Promise<PicturesOfChat> {
  const groups =
    channel.use_assistant === 1 ? new Map() : await groupByParent(deps, question.chat_id, attachments)
  if (groups.size === 0) return { pictures: { sent: [], omitted: [] }, history: [...history] }
  let left = (await takesPictures(deps, deps.db, channel)) ? maxPictures : 0

  async function take(parentId: string | null): Promise<TurnPictures> {
    const sent: TurnPicture[] = []
    const omitted: string[] = []
    for (const row of groups.get(parentId) ?? []) {
      const picture = left > 0 ? await loadPicture(deps, row) : null
      if (!picture) {
        omitted.push(row.name)
        continue
      }
      left -= 1
      sent.push(picture)
    }
    return { sent, omitted }
  }

  const pictures = await take(question.parent_id)
  const recent = new Set<HistoryTurn>(selectRecentTurns(history))
  const turns: HistoryTurn[] = []
  for (const turn of history.toReversed())
    turns.unshift(
      turn.role === 'user' && recent.has(turn) ? { ...turn, pictures: await take(turn.parentId) } : turn,
    )
  return { pictures, history: turns }
}
