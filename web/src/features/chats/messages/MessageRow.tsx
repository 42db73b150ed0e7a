import type { ChatMessage } from '@lyceum/contract/chats'
import { memo } from 'react'
import type { OpenCitation } from '../reply/citation.ts'
import type { Turn } from '../turns/activity.ts'
import { AssistantMessage } from './AssistantMessage.tsx'
import { UserMessage } from './UserMessage.tsx'
import type { MessageActions } from './use-message-actions.ts'

interface Props {
  message: ChatMessage
  turn: Turn | null
  unsentEdit: string | null
  isLocked: boolean
  /** The question was asked again later in the chat. */
  wasAskedAgain: boolean
  actions: MessageActions
  onOpenCitation: OpenCitation
}

/** Whether a turn is writing this reply or is about to continue it. */
function isWritingReply(turn: Turn, replyId: string): boolean {
  return (
    turn.replyId === replyId ||
    (turn.phase === 'sending' && turn.branch?.kind === 'continue' && turn.branch.messageId === replyId)
  )
}

/** One message. It gets only the activity that concerns it, so that the other rows do not render again. */
export const MessageRow = memo(
  ({ message, turn, unsentEdit, isLocked, wasAskedAgain, actions, onOpenCitation }: Props) =>
    message.role === 'user' ? (
      <UserMessage
        message={message}
        unsentEdit={unsentEdit}
        isLocked={isLocked}
        actions={actions}
        onOpenCitation={onOpenCitation}
      />
    ) : (
      <AssistantMessage
        message={message}
        turn={turn !== null && isWritingReply(turn, message._id) ? turn : null}
        isLocked={isLocked}
        wasAskedAgain={wasAskedAgain}
        actions={actions}
        onOpenCitation={onOpenCitation}
      />
    ),
)
