import { type Chat, chatsApi } from '@lyceum/contract/chats'
import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { toast } from '#ui/toast.ts'
import { messages } from '../../messages/member.ts'
import { tellOtherTabs } from './chat-tabs.ts'
import { threadKey } from './queries.ts'

interface ChatsPage {
  chats: Chat[]
  total: number
  totalPages: number
}

/** Changes the first page of the chats that are shown, where new ones appear, and takes one out wherever it is. */
const editChats = (
  client: QueryClient,
  channelId: string,
  { added, removed }: { added?: Chat; removed?: string },
): void => {
  client.setQueryData<InfiniteData<ChatsPage>>(['chats', channelId], (known) => {
    if (known === undefined) return known
    const pages = known.pages.map((page, index) => ({
      ...page,
      chats: [
        ...(index === 0 && added !== undefined ? [added] : []),
        ...page.chats.filter(({ _id }) => _id !== removed && _id !== added?._id),
      ],
    }))
    return { ...known, pages }
  })
}

interface Created {
  /** What a failure is called; the first chat of a channel is made unasked. */
  failed: string
  done?: string
}

export const useCreateChat = (channelId: string, onCreated: (chat: Chat) => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (_: Created) => call(chatsApi.create, { params: { channelId }, body: {} }),
    onSuccess: async (chat, { done }) => {
      await client.cancelQueries({ queryKey: ['chats', channelId] })
      editChats(client, channelId, { added: chat })
      tellOtherTabs({ channelId, chatId: chat._id })
      onCreated(chat)
      if (done !== undefined) toast.success(done)
    },
    onError: (error, { failed }) => toast.error(messageOf(error, failed)),
  })
}

export const useRemoveChat = (channelId: string, onRemoved: (chatId: string) => void) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (chatId: string) => call(chatsApi.remove, { params: { channelId, chatId } }),
    onSuccess: async (_, chatId) => {
      await client.cancelQueries({ queryKey: ['chats', channelId] })
      editChats(client, channelId, { removed: chatId })
      onRemoved(chatId)
      // The one that is still shown goes when its screen does: without data it would be asked for again.
      client.removeQueries({ queryKey: threadKey(channelId, chatId), type: 'inactive' })
      tellOtherTabs({ channelId, chatId })
      toast.success(messages.chat.remove.done)
    },
    onError: (error) => toast.error(messageOf(error, messages.chat.remove.failed)),
  })
}
