import { setImmediate } from 'node:timers/promises'
import type { Tx } from '#db/client.ts'
import { scheduleFileDeletion } from '#files/store.ts'
import { deleteAttachmentBatch } from './attachments/attachment-store.ts'
import { type ChatFilter, deleteChats, deleteMessageBatch, lockChatBatch } from './delete-store.ts'

const chatsPerBatch = 100
/** Small enough to serve other requests between batches. */
const messagesPerBatch = 100

/** Each can have more than a thousand passages. */
const attachmentsPerBatch = 5

async function deleteAttachments(tx: Tx, chatIds: readonly string[], now: number): Promise<void> {
  for (;;) {
    const files = await deleteAttachmentBatch(tx, chatIds, attachmentsPerBatch)
    await scheduleFileDeletion(tx, files, now)
    if (files.length < attachmentsPerBatch) return
    await setImmediate()
  }
}

/**
 * Deletes chats that the transaction has locked, files and messages first and in batches. Returns the number of
 * messages.
 */
export async function deleteLockedChats(tx: Tx, chatIds: readonly string[], now: number): Promise<number> {
  await deleteAttachments(tx, chatIds, now)
  let messages = 0
  for (;;) {
    const deleted = await deleteMessageBatch(tx, chatIds, messagesPerBatch)
    messages += deleted
    if (deleted < messagesPerBatch) break
    await setImmediate()
  }
  await deleteChats(tx, chatIds)
  return messages
}

/**
 * Runs in the transaction that deletes a channel or user. A cascading delete would remove tens of thousands of messages
 * in one statement, and SQLite would block the process for that time.
 */
export async function deleteMatchingChats(tx: Tx, filter: ChatFilter, now: number): Promise<void> {
  for (;;) {
    const locked = await lockChatBatch(tx, filter, chatsPerBatch)
    if (locked.length > 0) await deleteLockedChats(tx, locked, now)
    if (locked.length < chatsPerBatch) return
    await setImmediate()
  }
}
