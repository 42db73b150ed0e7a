import { type ChatMessage, chatsApi, type Feedback } from '@lyceum/contract/chats'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import { tellOtherTabs } from '../chat-tabs.ts'
import { editThread, threadKey } from '../queries.ts'
import { withFeedback } from '../thread.ts'

const { judge: words } = texts.chat

export interface Judgement {
  reply: ChatMessage
  /** Null takes it back. */
  given: Feedback | null
  /** Said when it has been kept; nothing where more is asked first. */
  done: string | null
}

/** Keeps what a reader thinks of a reply; shown at once, and taken back when it could not be kept. */
export function useJudgeReply(channelId: string, chatId: string) {
  const client = useQueryClient()
  function put(reply: ChatMessage, given: ChatMessage['feedback']): Promise<void> {
    return editThread(client, channelId, chatId, (thread) => withFeedback(thread, reply._id, given))
  }
  const mutationKey = ['judge', channelId, chatId]
  /** Whether more has been said of a reply since: that is shown, and is on its way. */
  function isOvertaken(reply: ChatMessage): boolean {
    return (
      client.isMutating({
        mutationKey,
        predicate: ({ state }) => (state.variables as Judgement | undefined)?.reply._id === reply._id,
      }) > 1
    )
  }
  const { mutate } = useMutation({
    mutationKey,
    // One after the other, so that what was pressed last is what holds.
    scope: { id: `judge ${chatId}` },
    mutationFn: ({ reply, given }: Judgement) =>
      call(chatsApi.judge, {
        params: { channelId, chatId, messageId: reply._id },
        body: given ?? { rating: null, reason: null, comment: '' },
      }),
    onMutate: ({ reply, given }) => put(reply, given ?? undefined),
    onSuccess: (_, { done }) => {
      if (done !== null) toast.success(done)
      tellOtherTabs({ channelId, chatId })
    },
    onError: async (error, { reply }) => {
      toast.error(messageOf(error, words.failed))
      if (isOvertaken(reply)) return
      await put(reply, reply.feedback)
      // What stood there before may itself not have been kept.
      void client.invalidateQueries({ queryKey: threadKey(channelId, chatId) })
    },
  })
  return mutate
}
