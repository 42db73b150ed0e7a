import type { ChatMessage, Feedback } from '@lyceum/contract/chats'
import { RotateCw, StepForward, ThumbsDown, ThumbsUp } from 'lucide-react'
import { memo } from 'react'
import { messageTime, wholeTime } from '#lib/chat-time.ts'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import type { MessageActions } from './use-message-actions.ts'
import { VersionSwitch } from './VersionSwitch.tsx'

interface Props {
  message: ChatMessage
  /** Nothing that changes the conversation can be begun meanwhile. */
  isClosed: boolean
  actions: MessageActions
}

const pressed = 'aria-pressed:text-link aria-pressed:[&_svg]:fill-current'

/** Which model answered: the one that was asked for, and the one it was where that is another. */
function ModelName({ model }: { model: NonNullable<ChatMessage['model']> }) {
  const isOther = model.requested !== model.actual
  return (
    <span className="wrap-anywhere">
      {' · '}
      <span className="sr-only">{isOther ? 'Asked for ' : 'Answered by '}</span>
      {model.requested}
      {isOther && (
        <>
          <span aria-hidden="true"> → </span>
          <span className="sr-only">, answered by </span>
          {model.actual}
        </>
      )}
    </span>
  )
}

/** What one can do with a reply that is not being written any more, and when and by what it was written. */
export const ReplyActions = memo(({ message, isClosed, actions }: Props) => {
  const { content, feedback, versions, model, timestamp } = message
  const time = new Date(timestamp)
  function thumb(rating: Feedback['rating']) {
    return (
      <IconButton
        size="small"
        icon={rating === 'good' ? ThumbsUp : ThumbsDown}
        label={rating === 'good' ? 'Good reply' : 'Bad reply'}
        aria-pressed={feedback?.rating === rating}
        className={pressed}
        onClick={() => actions.judge(message, rating)}
      />
    )
  }
  return (
    <div className="-ml-2 flex flex-wrap items-center gap-x-1 gap-y-1.5">
      {message.canContinue === true && (
        <Button
          size="small"
          className="mx-2"
          disabled={isClosed}
          onClick={() => actions.continueReply(message)}
        >
          <StepForward aria-hidden="true" className="size-4" />
          Continue
        </Button>
      )}
      {content !== '' && <CopyButton text={() => content} label="Copy reply" />}
      <IconButton
        size="small"
        icon={RotateCw}
        label="Ask again"
        aria-disabled={isClosed || undefined}
        onClick={() => !isClosed && actions.askAgain(message)}
      />
      {content !== '' && (
        <>
          {thumb('good')}
          {thumb('bad')}
        </>
      )}
      {versions && (
        <VersionSwitch
          versions={versions}
          isClosed={isClosed}
          onShow={(to) => actions.showVersion({ from: message._id, to })}
        />
      )}
      <p className="min-w-0 ps-2 text-muted text-xs tabular-nums">
        <time dateTime={timestamp} title={wholeTime(time)}>
          {messageTime(time, new Date())}
        </time>
        {model && <ModelName model={model} />}
      </p>
    </div>
  )
})
