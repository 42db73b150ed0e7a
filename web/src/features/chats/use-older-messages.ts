import { chatsApi, messagePageSize } from '@lyceum/contract/chats'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { toast } from '#ui/toast.ts'
import { messages } from '../../messages/member.ts'
import { editThread } from './queries.ts'
import { withOlderPage } from './thread.ts'

/** Fetches the messages above those that are here. */
export const useOlderMessages = (channelId: string, chatId: string, before: string | null) => {
  const client = useQueryClient()
  const load = useMutation({
    mutationFn: (from: string) =>
      call(chatsApi.get, {
        params: { channelId, chatId },
        query: { limit: messagePageSize, before: from },
      }),
    onSuccess: (page) => editThread(client, channelId, chatId, (thread) => withOlderPage(thread, page)),
    onError: (error) => toast.error(messageOf(error, messages.chat.loadMessagesFailed)),
  })
  return {
    exists: before !== null,
    isLoading: load.isPending,
    load: (): void => {
      if (before !== null && !load.isPending) load.mutate(before)
    },
  }
}
