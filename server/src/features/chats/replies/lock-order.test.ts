import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '#db/client.ts'
import { isPostgres } from '#db/dialect.ts'
import { insertTestChat } from '#testing/chats.ts'
import { createTestChannel, createUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { findMessage } from '../messages/message-store.ts'
import { lockChat } from '../store.ts'
import { interruptLostReplies, stopReply } from './reply-manager.ts'
import { endReply } from './reply-store.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

/** A reply that a node named `other` was writing when its lease expired. */
async function insertLostReply() {
  const channelId = await createTestChannel(app.deps)
  const { id: userId } = await createUser(app.deps, { channels: [channelId] })
  const chat = await insertTestChat(app.deps, { userId, channelId, messages: ['Hello', 'Good mor'] })
  const id = chat.messages[1]?.id ?? ''
  await app.deps.db
    .updateTable('messages')
    .set({ state: 'streaming', lease_owner: 'other', lease_until: 1 })
    .where('id', '=', id)
    .execute()
  const reply = await findMessage(app.deps.db, chat.id, id)
  if (!reply) throw new Error('The reply was not inserted')
  return reply
}

type LostReply = Awaited<ReturnType<typeof insertLostReply>>

async function countWaitingForLocks(): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.deps.db)
  return rows[0]?.waiting ?? 0
}

/** Saves the final state of a reply as its writing node would, while `change` waits for the lock on the chat. */
async function saveFinalStateDuring(change: () => Promise<unknown>, reply: LostReply) {
  let changed: Promise<unknown> = Promise.resolve()
  await app.deps.db.transaction().execute(async (tx: Tx) => {
    await lockChat(tx, reply.chat_id)
    changed = change()
    if (isPostgres(tx as never)) {
      await expect.poll(countWaitingForLocks).toBe(1)
      // Fails if the waiting transaction has locked the message, which would be a deadlock.
      await tx.selectFrom('messages').select('id').where('id', '=', reply.id).forUpdate().noWait().execute()
    }
    const { content, citations, has_documents, removed_citations } = reply
    const { unchecked_citations, last_event, mode, requested_model, actual_model } = reply
    await endReply(tx, 'other', reply.id, {
      ...{ content, citations, has_documents, removed_citations, last_event, mode },
      ...{ unchecked_citations, requested_model, actual_model, state: 'complete', error: null },
    })
  })
  await changed
  return findMessage(app.deps.db, reply.chat_id, reply.id)
}

describe('saving the final state of a reply that another process ends at the same time', () => {
  it('does not deadlock with the sweep and keeps the first final state', async () => {
    const reply = await insertLostReply()
    const saved = await saveFinalStateDuring(() => interruptLostReplies(app.deps), reply)
    expect(saved?.state).toBe('complete')
  })

  it('does not deadlock with stopping the reply and keeps the first final state', async () => {
    const reply = await insertLostReply()
    const saved = await saveFinalStateDuring(() => stopReply(app.deps, reply), reply)
    expect(saved?.state).toBe('complete')
  })
})
