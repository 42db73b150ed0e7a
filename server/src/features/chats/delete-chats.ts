import { setImmediate } from 'node:timers/promises'
import type { Tx } from '#db/client.ts'
import { type ChatsOf, deleteChats, deleteSomeMessages, lockChatBatch } from './delete-store.ts'

const chatsPerStep = 100
/** So many at once, so that the server can answer others in between. */
const messagesPerStep = 100

/** Deletes chats that the transaction holds, their messages first and a few at a time; how many these were. */
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
 * Before a channel or a person is deleted, in the same transaction: left to the database, tens of thousands of messages
 * would go in one statement, and SQLite would answer nobody meanwhile.
 */
export async function deleteChatsOf(tx: Tx, of: ChatsOf): Promise<void> {
  for (;;) {
    const held = await lockChatBatch(tx, of, chatsPerStep)
    if (held.length > 0) await deleteHeldChats(tx, held)
    if (held.length < chatsPerStep) return
    await setImmediate()
  }
}
