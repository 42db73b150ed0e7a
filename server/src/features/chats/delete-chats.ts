import { setImmediate } from 'node:timers/promises'
import type { Tx } from '#db/client.ts'
import { type ChatsOf, deleteChats, deleteSomeMessages, lockChatBatch } from './delete-store.ts'

const chatsPerStep = 100
/** Small enough to serve other requests between batches. */
const messagesPerStep = 100

/** Deletes chats that the transaction has locked, messages first and in batches. Returns the number of messages. */
export async function deleteHeldChats(tx: Tx, chatIds: readonly string[]): Promise<number> {
  let messages = 0
  for (;;) {
    const deleted = await deleteSomeMessages(tx, chatIds, messagesPerStep)
    messages += deleted
    if (deleted < messagesPerStep) break
    await setImmediate()
  }
  await deleteChats(tx, chatIds)
  return messages
}

/**
 * Runs in the transaction that deletes a channel or user. A cascading delete would remove tens of thousands of messages
 * in one statement, and SQLite would block the process for that time.
 */
export async function deleteChatsOf(tx: Tx, of: ChatsOf): Promise<void> {
  for (;;) {
    const held = await lockChatBatch(tx, of, chatsPerStep)
    if (held.length > 0) await deleteHeldChats(tx, held)
    if (held.length < chatsPerStep) return
    await setImmediate()
  }
}
