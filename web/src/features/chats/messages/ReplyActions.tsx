import type { ChatMessage, Feedback } from '@lyceum/contract/chats'
import { RotateCw, StepForward, ThumbsDown, ThumbsUp } from 'lucide-react'
import { memo } from 'react'
import { formatFullTime, formatMessageTime } from '#lib/chat-time.ts'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import type { MessageActions } from './use-message-actions.ts'
import { VersionSwitch } from './VersionSwitch.tsx'

interface Props {
  message: ChatMessage
  /** A reply or another change to the conversation is in progress, so no other can be started. */
  isLocked: boolean
  actions: MessageActions
}

const pressedStyle = 'aria-pressed:text-link aria-pressed:[&_svg]:fill-current'

/** The requested model and, when it differs, the one that answered. */
function ModelName({ model }: { model: NonNullable<ChatMessage['model']> }) {
  const isDifferent = model.requested !== model.actual
  return (
    <span className="wrap-anywhere">
      {' · '}
      <span className="sr-only">{isDifferent ? 'Requested model: ' : 'Model: '}</span>
      {model.requested}
      {isDifferent && (
        <>
          <span aria-hidden="true"> → </span>
          <span className="sr-only">, answered by </span>
          {model.actual}
        </>
      )}
    </span>
  )
}

/** The actions of a finished reply, its time and its model. */
export const ReplyActions = memo(({ message, isLocked, actions }: Props) => {
  const { content, feedback, versions, model, timestamp } = message
  const time = new Date(timestamp)
  function renderThumb(rating: Feedback['rating']) {
    return (
      <IconButton
        size="small"
        icon={rating === 'good' ? ThumbsUp : ThumbsDown}
        label={rating === 'good' ? 'Good reply' : 'Bad reply'}
        aria-pressed={feedback?.rating === rating}
        className={pressedStyle}
        onClick={() => actions.rate(message, rating)}
      />
    )
  }
  return (
    <div className="-ml-2 flex flex-wrap items-center gap-x-1 gap-y-1.5">
      {message.canContinue === true && (
        <Button
          size="small"
          className="mx-2"
          disabled={isLocked}
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
        label="Regenerate"
        aria-disabled={isLocked || undefined}
        onClick={() => !isLocked && actions.regenerate(message)}
      />
      {content !== '' && (
        <>
          {renderThumb('good')}
          {renderThumb('bad')}
        </>
      )}
      {versions && (
        <VersionSwitch
          versions={versions}
          isLocked={isLocked}
          onShow={(to) => actions.showVersion({ from: message._id, to })}
        />
      )}
      <p className="min-w-0 ps-2 text-muted text-xs tabular-nums">
        <time dateTime={timestamp} title={formatFullTime(time)}>
          {formatMessageTime(time, new Date())}
        </time>
        {model && <ModelName model={model} />}
      </p>
    </div>
  )
})
