import { type Chat, chatsApi } from '@lyceum/contract/chats'
import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, isNotFound, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { channelQuery } from '#features/channels/queries.ts'
import { deleteDraftsOf } from '#lib/drafts.ts'
import { deleteUnsentOf } from '#lib/unsent-messages.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import { notifyOtherTabs } from '../other-tabs.ts'
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

/** Adds a chat at the top of the first page. */
function addChat(client: QueryClient, channelId: string, chat: Chat): void {
  editPages(client, channelId, (chats, page) => [
    ...(page === 0 ? [chat] : []),
    ...chats.filter(({ _id }) => _id !== chat._id),
  ])
}

export function dropChat(client: QueryClient, channelId: string, chatId: string): void {
  deleteDraftsOf(chatId)
  deleteUnsentOf(chatId)
  editPages(client, channelId, (chats) => chats.filter(({ _id }) => _id !== chatId))
}

/** Updates the title in the list and in the open chat. */
function showTitle(client: QueryClient, channelId: string, { chatId, title }: TitleChange): void {
  editPages(client, channelId, (chats) =>
    chats.map((chat) => (chat._id === chatId ? { ...chat, title } : chat)),
  )
  client.setQueryData<Thread>(threadKey(channelId, chatId), (thread) => thread && { ...thread, title })
}

interface CreateTexts {
  /** The error toast; it differs for the first chat, which is created automatically. */
  failed: string
  done?: string
}

/** `onCreated` tells whether the user sees the new chat. */
export function useCreateChat(channelId: string, onCreated: (chat: Chat) => boolean) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (_: CreateTexts) => call(chatsApi.create, { params: { channelId }, body: {} }),
    onSuccess: async (chat, { done }) => {
      await client.cancelQueries({ queryKey: chatsKey(channelId) })
      addChat(client, channelId, chat)
      notifyOtherTabs({ channelId, chatId: chat._id })
      const isShown = onCreated(chat)
      if (done !== undefined) (isShown ? toast.speak : toast.success)(done)
    },
    onError: (error, { failed }) => {
      toast.error(messageOf(error, failed))
      // The channel is gone or archived: reload it, so that the screen notices.
      if (isNotFound(error) || (error instanceof ApiError && error.code === 'channel.archived'))
        void client.invalidateQueries({ queryKey: channelQuery(channelId).queryKey })
    },
  })
}

interface TitleChange {
  chatId: string
  title: string | null
}

interface RenameInput {
  chatId: string
  title: string
}

/** The dialog shows why the server refused. */
export function useRenameChat(channelId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ chatId, title }: RenameInput) =>
      call(chatsApi.rename, { params: { channelId, chatId }, body: { title } }),
    onSuccess: async ({ _id, title }) => {
      await client.cancelQueries({ queryKey: chatsKey(channelId) })
      showTitle(client, channelId, { chatId: _id, title })
      notifyOtherTabs({ channelId, chatId: _id })
      toast.success(texts.chat.rename.done)
    },
  })
}

interface PinInput {
  chat: Chat
  isPinned: boolean
}

/** Reloads the list, because the server knows where an unpinned chat belongs. */
export function usePinChat(channelId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ chat, isPinned }: PinInput) =>
      call(chatsApi.pin, { params: { channelId, chatId: chat._id }, body: { isPinned } }),
    onSuccess: ({ _id }) => {
      void client.invalidateQueries({ queryKey: chatsKey(channelId) })
      notifyOtherTabs({ channelId, chatId: _id })
    },
    onError: (error, { isPinned }) =>
      toast.error(messageOf(error, isPinned ? texts.chat.pinFailed : texts.chat.unpinFailed)),
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
      // Only inactive queries: the open chat would be requested again if its data were removed now.
      client.removeQueries({ queryKey: threadKey(channelId, chatId), type: 'inactive' })
      notifyOtherTabs({ channelId, chatId })
      toast.success(texts.chat.remove.done, `remove ${chatId}`)
    },
    onError: (error, chatId) => toast.error(messageOf(error, texts.chat.remove.failed), `remove ${chatId}`),
  })
}
