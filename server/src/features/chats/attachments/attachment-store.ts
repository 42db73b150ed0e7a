import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

/** An attachment without its text and blocks, which can be megabytes. */
export type AttachmentRow = Omit<Selectable<Database['attachments']>, 'text' | 'blocks'>
export type AttachmentPassageRow = Selectable<Database['attachment_passages']>

export type NewPassage = Omit<Insertable<Database['attachment_passages']>, 'attachment_id'>

const columns = [
  'id',
  'chat_id',
  'message_id',
  'name',
  'kind',
  'file_key',
  'file_size',
  'sha256',
  'pages',
  'tokens',
  'created_at',
] as const

const passagesPerStatement = 100

export async function insertAttachment(
  db: Executor,
  attachment: Insertable<Database['attachments']>,
  passages: readonly Insertable<Database['attachment_passages']>[],
): Promise<void> {
  await db.insertInto('attachments').values(attachment).execute()
  for (let from = 0; from < passages.length; from += passagesPerStatement)
    await db
      .insertInto('attachment_passages')
      .values(passages.slice(from, from + passagesPerStatement))
      .execute()
}

/** The files of a chat, sent or not, oldest first. A chat has at most `maxAttachmentsPerChat`. */
export function listAttachments(db: Executor, chatId: string): Promise<AttachmentRow[]> {
  return db
    .selectFrom('attachments')
    .select(columns)
    .where('chat_id', '=', chatId)
    .orderBy('chat_id')
    .orderBy('id')
    .execute()
}

export function findAttachment(db: Executor, chatId: string, id: string): Promise<AttachmentRow | undefined> {
  return db
    .selectFrom('attachments')
    .select(columns)
    .where('id', '=', id)
    .where('chat_id', '=', chatId)
    .executeTakeFirst()
}

export function findAttachmentText(
  db: Executor,
  id: string,
): Promise<{ text: string; blocks: string } | undefined> {
  return db.selectFrom('attachments').select(['text', 'blocks']).where('id', '=', id).executeTakeFirst()
}

/** Attaches files that are not sent yet to a message. Returns how many of them there were. */
export async function setMessage(
  db: Executor,
  chatId: string,
  ids: readonly string[],
  messageId: string,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('attachments')
    .set({ message_id: messageId })
    .where('id', 'in', ids)
    .where('chat_id', '=', chatId)
    .where('message_id', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Deletes a file that is not sent yet. Returns its key in the file store. */
export async function deleteUnsentAttachment(
  db: Executor,
  chatId: string,
  id: string,
): Promise<string | undefined> {
  const deleted = await db
    .deleteFrom('attachments')
    .where('id', '=', id)
    .where('chat_id', '=', chatId)
    .where('message_id', 'is', null)
    .returning('file_key')
    .executeTakeFirst()
  return deleted?.file_key
}

/** Deletes up to `limit` files that were uploaded before a time and never sent. Returns their keys in the file store. */
export async function deleteForgottenAttachments(
  db: Executor,
  before: number,
  limit: number,
): Promise<string[]> {
  const deleted = await db
    .deleteFrom('attachments')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('attachments')
        .select('id')
        .where('message_id', 'is', null)
        .where('created_at', '<', before)
        .limit(limit),
    )
    .returning('file_key')
    .execute()
  return deleted.map(({ file_key }) => file_key)
}

/** Deletes up to `limit` files of these chats. Returns their keys in the file store. */
export async function deleteAttachmentBatch(
  db: Executor,
  chatIds: readonly string[],
  limit: number,
): Promise<string[]> {
  const deleted = await db
    .deleteFrom('attachments')
    .where('id', 'in', (eb) =>
      eb.selectFrom('attachments').select('id').where('chat_id', 'in', chatIds).limit(limit),
    )
    .returning('file_key')
    .execute()
  return deleted.map(({ file_key }) => file_key)
}

/** What ranks a passage, without its text. */
export type PassageTerms = Pick<AttachmentPassageRow, 'attachment_id' | 'ordinal' | 'terms' | 'tokens'>

/** The terms of some passages of an attachment, in order. */
export function listPassageTerms(
  db: Executor,
  attachmentId: string,
  from: number,
  limit: number,
): Promise<PassageTerms[]> {
  return db
    .selectFrom('attachment_passages')
    .select(['attachment_id', 'ordinal', 'terms', 'tokens'])
    .where('attachment_id', '=', attachmentId)
    .where('ordinal', '>=', from)
    .orderBy('ordinal')
    .limit(limit)
    .execute()
}

export function findPassages(
  db: Executor,
  keys: readonly Pick<AttachmentPassageRow, 'attachment_id' | 'ordinal'>[],
): Promise<AttachmentPassageRow[]> {
  if (keys.length === 0) return Promise.resolve([])
  return db
    .selectFrom('attachment_passages')
    .selectAll()
    .where((eb) =>
      eb.or(
        keys.map(({ attachment_id, ordinal }) =>
          eb.and([eb('attachment_id', '=', attachment_id), eb('ordinal', '=', ordinal)]),
        ),
      ),
    )
    .execute()
}
