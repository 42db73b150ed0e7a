import { type Chat, chatsApi } from '@lyceum/contract/chats'
import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { isNotFound, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { channelQuery } from '#features/channels/queries.ts'
import { forgetDraftsOf } from '#lib/drafts.ts'
import { forgetUnsentOf } from '#lib/unsent.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import { tellOtherTabs } from '../chat-tabs.ts'
import { chatsKey, threadKey } from '../queries.ts'
import type { Thread } from '../thread.ts'

interface ChatsPage {
  chats: Chat[]
  total: number
  totalPages: number
}

function editPages(client: QueryClient, channelId: string, edit: (chats: Chat[], page: number) => Chat[]) {
  return client.setQueryData<InfiniteData<ChatsPage>>(
    chatsKey(channelId),
    (known) =>
      known && { ...known, pages: known.pages.map((page, at) => ({ ...page, chats: edit(page.chats, at) })) },
  )
}

/** New ones appear at the top of the first page. */
function addChat(client: QueryClient, channelId: string, chat: Chat): void {
  editPages(client, channelId, (chats, page) => [
    ...(page === 0 ? [chat] : []),
    ...chats.filter(({ _id }) => _id !== chat._id),
  ])
}

export function dropChat(client: QueryClient, channelId: string, chatId: string): void {
  forgetDraftsOf(chatId)
  forgetUnsentOf(chatId)
  editPages(client, channelId, (chats) => chats.filter(({ _id }) => _id !== chatId))
}

/** Shows a title wherever the chat is named. */
function showTitle(client: QueryClient, channelId: string, { chatId, title }: Naming): void {
  editPages(client, channelId, (chats) =>
    chats.map((chat) => (chat._id === chatId ? { ...chat, title } : chat)),
  )
  client.setQueryData<Thread>(threadKey(channelId, chatId), (thread) => thread && { ...thread, title })
}

interface Created {
  /** What a failure is called; the first chat of a channel is made unasked. */
  failed: string
  done?: string
}

export function useCreateChat(channelId: string, onCreated: (chat: Chat) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (_: Created) => call(chatsApi.create, { params: { channelId }, body: {} }),
    onSuccess: async (chat, { done }) => {
      await client.cancelQueries({ queryKey: chatsKey(channelId) })
      addChat(client, channelId, chat)
      tellOtherTabs({ channelId, chatId: chat._id })
      onCreated(chat)
      if (done !== undefined) toast.success(done)
    },
    onError: (error, { failed }) => {
      toast.error(messageOf(error, failed))
      // Nothing can be begun in a channel that is gone: its screen finds out.
      if (isNotFound(error)) void client.invalidateQueries({ queryKey: channelQuery(channelId).queryKey })
    },
  })
}

interface Naming {
  chatId: string
  title: string | null
}

interface Renaming {
  chat: Pick<Chat, '_id' | 'title'>
  title: string
}

/** The new name is there at once; where the server refuses it, the old one comes back. */
export function useRenameChat(channelId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ chat, title }: Renaming) =>
      call(chatsApi.rename, { params: { channelId, chatId: chat._id }, body: { title } }),
    onMutate: async ({ chat, title }) => {
      await client.cancelQueries({ queryKey: chatsKey(channelId) })
      showTitle(client, channelId, { chatId: chat._id, title })
    },
    onSuccess: ({ _id, title }) => {
      showTitle(client, channelId, { chatId: _id, title })
      tellOtherTabs({ channelId, chatId: _id })
      toast.success(texts.chat.rename.done)
    },
    onError: (error, { chat }) => {
      showTitle(client, channelId, { chatId: chat._id, title: chat.title })
      toast.error(messageOf(error, texts.chat.rename.failed))
    },
  })
}

export function useRemoveChat(channelId: string, onRemoved: (chatId: string) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (chatId: string) => call(chatsApi.remove, { params: { channelId, chatId } }),
    onSuccess: async (_, chatId) => {
      await client.cancelQueries({ queryKey: chatsKey(channelId) })
      dropChat(client, channelId, chatId)
      onRemoved(chatId)
      // The one that is still shown goes when its screen does: without data it would be asked for again.
      client.removeQueries({ queryKey: threadKey(channelId, chatId), type: 'inactive' })
      tellOtherTabs({ channelId, chatId })
      toast.success(texts.chat.remove.done)
    },
    onError: (error) => toast.error(messageOf(error, texts.chat.remove.failed)),
  })
}
