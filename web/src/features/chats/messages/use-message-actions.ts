import type { ChatMessage } from '@lyceum/contract/chats'
import type { Feedback } from '@lyceum/contract/feedback'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { texts } from '#texts/member.ts'
import { threadQuery } from '../queries.ts'
import { useTurns } from '../turns/TurnsProvider.tsx'
import { useRateReply } from './use-rate-reply.ts'
import { useShowVersion, type VersionChange } from './use-show-version.ts'

export interface MessageActions {
  regenerate: (reply: ChatMessage) => void
  continueReply: (reply: ChatMessage) => void
  follow: (reply: ChatMessage) => void
  edit: (messageId: string, text: string) => void
  discardUnsentEdit: () => void
  showVersion: (change: VersionChange) => void
  /** Rating a reply the same way again removes the rating. */
  rate: (reply: ChatMessage, rating: Feedback['rating']) => void
}

const { rate: feedbackTexts } = texts.chat

/**
 * The question of a reply, if it can be asked again at the end of the chat: not the last one, whose reply can be replaced,
 * and not one with files, which belong to it.
 */
function findEarlierQuestion(messages: readonly ChatMessage[], reply: ChatMessage): ChatMessage | null {
  const at = messages.findIndex(({ _id }) => _id === reply._id)
  const question = messages[at - 1]
  const isEarlier = at !== -1 && at < messages.length - 1
  return isEarlier && question?.role === 'user' && (question.attachments ?? []).length === 0 ? question : null
}

/** The mended replies whose question was asked again later in the chat. */
export function findAskedAgain(messages: readonly ChatMessage[]): ReadonlySet<string> {
  const found = new Set<string>()
  const laterQuestions = new Set<string>()
  for (const message of messages.toReversed()) {
    if (message.role === 'user') laterQuestions.add(message.content)
    else if (message.isMended === true) {
      const question = findEarlierQuestion(messages, message)
      if (question !== null && laterQuestions.has(question.content)) found.add(message._id)
    }
  }
  return found
}

const badFeedback: Feedback = { rating: 'bad', reason: null, comment: '' }

/** The actions of a chat's messages. The object is stable, so that it does not cause messages to rerender. */
export function useMessageActions(
  channelId: string,
  chatId: string,
  onBeforeChange: (change: VersionChange) => void,
  /** A question was sent at the end of the chat. */
  onSent: () => void,
) {
  const turns = useTurns()
  const client = useQueryClient()
  const { show, isLoadingVersion } = useShowVersion(channelId, chatId, onBeforeChange)
  const { rate, rateAsync } = useRateReply(channelId, chatId)
  const [badlyRatedReply, setBadlyRatedReply] = useState<ChatMessage | null>(null)

  const actions = useMemo<MessageActions>(
    () => ({
      regenerate: (reply) => {
        // A new version of an earlier reply would hide what came after the channel was mended.
        const { messages = [] } = client.getQueryData(threadQuery(channelId, chatId).queryKey) ?? {}
        const question = reply.isMended === true ? findEarlierQuestion(messages, reply) : null
        if (question === null) return void turns.regenerate(chatId, reply)
        void turns.send(chatId, question.content)
        onSent()
      },
      continueReply: (reply) => void turns.continueReply(chatId, reply),
      follow: (reply) => turns.follow(chatId, reply),
      edit: (messageId, text) => void turns.edit(chatId, messageId, text),
      discardUnsentEdit: () => turns.discardUnsentEdit(chatId),
      showVersion: show,
      rate: (reply, rating) => {
        const isRemoval = reply.feedback?.rating === rating
        const isBad = rating === 'bad'
        const feedback = isRemoval ? null : { rating, reason: null, comment: '' }
        const successText = isRemoval ? feedbackTexts.removed : isBad ? null : feedbackTexts.done
        rate(
          { reply, feedback, successText },
          { onSuccess: () => isBad && !isRemoval && setBadlyRatedReply(reply) },
        )
      },
    }),
    [turns, client, channelId, chatId, onSent, show, rate],
  )

  return {
    actions,
    isLoadingVersion,
    /** The reply that was just rated as bad. The dialog asks for the reason. */
    badlyRatedReply,
    /** Rejects if the reason cannot be saved. The rating and the dialog stay. */
    sendReason: async (reason: Omit<Feedback, 'rating'>): Promise<void> => {
      const reply = badlyRatedReply && { ...badlyRatedReply, feedback: badFeedback }
      const feedback: Feedback = { ...reason, rating: 'bad' }
      if (reply !== null) await rateAsync({ reply, feedback, successText: feedbackTexts.done, isQuiet: true })
      setBadlyRatedReply(null)
    },
    skipReason: (): void => setBadlyRatedReply(null),
  }
}
