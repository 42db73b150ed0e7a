import type { ChatMessage, Feedback } from '@lyceum/contract/chats'
import { useMemo, useState } from 'react'
import { texts } from '#texts/member.ts'
import { useTurns } from '../turns/TurnsProvider.tsx'
import { useJudgeReply } from './use-judge-reply.ts'
import { useShowVersion, type VersionChange } from './use-show-version.ts'

export interface MessageActions {
  askAgain: (reply: ChatMessage) => void
  continueReply: (reply: ChatMessage) => void
  follow: (reply: ChatMessage) => void
  edit: (messageId: string, text: string) => void
  forgetEdit: () => void
  showVersion: (change: VersionChange) => void
  /** Rating a reply the same way again removes the rating. */
  judge: (reply: ChatMessage, rating: Feedback['rating']) => void
}

const { rate: judgeTexts } = texts.chat

const badFeedback: Feedback = { rating: 'bad', reason: null, comment: '' }

/** The actions of a chat's messages. The object is stable, so that it does not cause messages to rerender. */
export function useMessageActions(
  channelId: string,
  chatId: string,
  onBeforeChange: (change: VersionChange) => void,
) {
  const turns = useTurns()
  const { show, isShowing } = useShowVersion(channelId, chatId, onBeforeChange)
  const judge = useJudgeReply(channelId, chatId)
  const [replyToExplain, setReplyToExplain] = useState<ChatMessage | null>(null)

  const actions = useMemo<MessageActions>(
    () => ({
      askAgain: (reply) => void turns.regenerate(chatId, reply),
      continueReply: (reply) => void turns.continueReply(chatId, reply),
      follow: (reply) => turns.follow(chatId, reply),
      edit: (messageId, text) => void turns.edit(chatId, messageId, text),
      forgetEdit: () => turns.forgetEdit(chatId),
      showVersion: show,
      judge: (reply, rating) => {
        const isTakenBack = reply.feedback?.rating === rating
        const isBad = rating === 'bad'
        const feedback = isTakenBack ? null : { rating, reason: null, comment: '' }
        judge({ reply, feedback, done: isTakenBack ? judgeTexts.removed : isBad ? null : judgeTexts.done })
        if (isBad && !isTakenBack) setReplyToExplain(reply)
      },
    }),
    [turns, chatId, show, judge],
  )

  return {
    actions,
    isShowing,
    /** The reply rated as bad for which the dialog asks the reason. */
    replyToExplain,
    sendReason: (reason: Omit<Feedback, 'rating'>): void => {
      // If the reason cannot be saved, the rating stays.
      const reply = replyToExplain && { ...replyToExplain, feedback: badFeedback }
      if (reply !== null) judge({ reply, feedback: { ...reason, rating: 'bad' }, done: judgeTexts.done })
      setReplyToExplain(null)
    },
    skipReason: (): void => setReplyToExplain(null),
  }
}
