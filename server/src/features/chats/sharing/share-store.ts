import type { Executor, Tx } from '#db/client.ts'

export interface Share {
  share_id: string | null
  share_leaf_id: string | null
  share_title: string | null
  shared_at: number | null
}

export async function updateShare(tx: Tx, chatId: string, share: Share): Promise<void> {
  await tx.updateTable('chats').set(share).where('id', '=', chatId).execute()
}

export interface SharedChatRow {
  id: string
  share_leaf_id: string | null
  share_title: string | null
  shared_at: number | null
  owner_name: string
}

/** A shared chat of a channel, while its owner is a member of the channel. */
export function findSharedChat(
  db: Executor,
  channelId: string,
  shareId: string,
): Promise<SharedChatRow | undefined> {
  return db
    .selectFrom('chats')
    .innerJoin('channel_members', (join) =>
      join
        .onRef('channel_members.channel_id', '=', 'chats.channel_id')
        .onRef('channel_members.user_id', '=', 'chats.user_id'),
    )
    .innerJoin('users', 'users.id', 'chats.user_id')
    .select([
      'chats.id',
      'chats.share_leaf_id',
      'chats.share_title',
      'chats.shared_at',
      'users.name as owner_name',
    ])
    .where('chats.share_id', '=', shareId)
    .where('chats.channel_id', '=', channelId)
    .executeTakeFirst()
}

/** Whether a message is the leaf or above it. Reads the ids on the path from the leaf up. */
export async function isOnPath(
  db: Executor,
  chatId: string,
  leafId: string,
  messageId: string,
): Promise<boolean> {
  const found = await db
    .withRecursive('path(id, parent_id)', (cte) =>
      cte
        .selectFrom('messages')
        .select(['messages.id', 'messages.parent_id'])
        .where('messages.id', '=', leafId)
        .where('messages.chat_id', '=', chatId)
        .unionAll(
          cte
            .selectFrom('path')
            .innerJoin('messages', 'messages.id', 'path.parent_id')
            .select(['messages.id', 'messages.parent_id']),
        ),
    )
    .selectFrom('path')
    .select('id')
    .where('id', '=', messageId)
    .executeTakeFirst()
  return found !== undefined
}
