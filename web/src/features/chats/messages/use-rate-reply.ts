import { type ChatMessage, chatsApi } from '@lyceum/contract/chats'
import type { Feedback } from '@lyceum/contract/feedback'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import { notifyOtherTabs } from '../other-tabs.ts'
import { editThread, threadKey } from '../queries.ts'
import { withFeedback } from '../thread.ts'

const { rate: feedbackTexts } = texts.chat

export interface RatingChange {
  reply: ChatMessage
  /** Null removes the feedback. */
  feedback: Feedback | null
  /** The toast for success; null when the feedback dialog follows. */
  successText: string | null
  /** The caller shows why it failed. */
  isQuiet?: boolean
}

/** Saves feedback on a reply. It is shown at once, and reverted if it cannot be saved. */
export function useRateReply(channelId: string, chatId: string) {
  const client = useQueryClient()
  function showFeedback(reply: ChatMessage, feedback: ChatMessage['feedback']): Promise<void> {
    return editThread(client, channelId, chatId, (thread) => withFeedback(thread, reply._id, feedback))
  }
  const mutationKey = ['rate', channelId, chatId]
  /** Whether newer feedback on the same reply is already shown and being saved. */
  function hasNewerRating(reply: ChatMessage): boolean {
    return (
      client.isMutating({
        mutationKey,
        predicate: ({ state }) => (state.variables as RatingChange | undefined)?.reply._id === reply._id,
      }) > 1
    )
  }
  const { mutate, mutateAsync } = useMutation({
    mutationKey,
    // Run requests one after the other, so that the last click wins.
    scope: { id: `rate ${chatId}` },
    mutationFn: ({ reply, feedback }: RatingChange) =>
      call(chatsApi.rate, {
        params: { channelId, chatId, messageId: reply._id },
        body: feedback ?? { rating: null, reason: null, comment: '' },
      }),
    onMutate: ({ reply, feedback }) => showFeedback(reply, feedback ?? undefined),
    onSuccess: (_, { reply, successText }) => {
      if (successText === null) toast.dismiss(reply._id)
      else toast.success(successText, reply._id)
      notifyOtherTabs({ channelId, chatId })
    },
    onError: async (error, { reply, isQuiet }) => {
      if (isQuiet !== true) toast.error(messageOf(error, feedbackTexts.failed), reply._id)
      if (hasNewerRating(reply)) return
      await showFeedback(reply, reply.feedback)
      // The earlier feedback may not have been saved either.
      void client.invalidateQueries({ queryKey: threadKey(channelId, chatId) })
    },
  })
  return { rate: mutate, rateAsync: mutateAsync }
}
