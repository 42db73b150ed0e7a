import type { ChatMessage } from '@lyceum/contract/chats'
import type { Feedback } from '@lyceum/contract/feedback'
import { Cpu, Ellipsis, RotateCw, StepForward, ThumbsDown, ThumbsUp } from 'lucide-react'
import { memo } from 'react'
import { formatFullTime, formatMessageTime } from '#lib/chat-time.ts'
import { copyText } from '#lib/copy-text.ts'
import { texts } from '#texts/member.ts'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import type { MenuItem } from '#ui/OpenMenu.tsx'
import { toast } from '#ui/toast.ts'
import { useIsReadOnly } from '../read-only.ts'
import { isOutdatedRefusal } from './ReplyNote.tsx'
import type { MessageActions } from './use-message-actions.ts'
import { VersionSwitch } from './VersionSwitch.tsx'

interface Props {
  message: ChatMessage
  /** A reply or another change to the conversation is in progress, so no other can be started. */
  isLocked: boolean
  /** The question was asked again later in the chat. */
  wasAskedAgain: boolean
  actions: MessageActions
}

const copyModelTexts = texts.chat.copyModel
const pressedStyle = 'aria-pressed:text-link aria-pressed:[&_svg]:fill-current'

/** Only those who administer the channel receive the model, so only they have this menu. */
function createModelItem({ requested, actual }: NonNullable<ChatMessage['model']>): MenuItem {
  const name = requested === actual ? actual : `${requested} → ${actual}`
  return {
    label: `Copy model name: ${name}`,
    icon: Cpu,
    onChoose: () =>
      void copyText(actual).then((isCopied) => {
        if (isCopied) toast.success(copyModelTexts.done)
        else toast.error(copyModelTexts.failed)
      }),
  }
}

/** The actions of a finished reply, and its time. */
export const ReplyActions = memo(({ message, isLocked, wasAskedAgain, actions }: Props) => {
  const { content, feedback, versions, model, timestamp, setupProblem, isMended = false } = message
  const couldAnswer = setupProblem === undefined && !isMended
  const hasFailed = message.state === 'failed' && content === ''
  const time = new Date(timestamp)
  const isReadOnly = useIsReadOnly()
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
      {message.canContinue === true && !isReadOnly && (
        // On a phone, the other actions fill a line.
        <span className="mx-2 max-sm:basis-full">
          <Button size="small" disabled={isLocked} onClick={() => actions.continueReply(message)}>
            <StepForward aria-hidden="true" className="size-4" />
            Continue
          </Button>
        </span>
      )}
      {content !== '' && !isOutdatedRefusal(message) && (
        <CopyButton text={() => content} label="Copy reply" />
      )}
      {!isReadOnly &&
        setupProblem === undefined &&
        !wasAskedAgain &&
        (message.state === 'failed' || content === '' || isMended ? (
          <Button
            size="small"
            className="mx-2"
            disabled={isLocked}
            onClick={() => actions.regenerate(message)}
          >
            <RotateCw aria-hidden="true" className="size-4" />
            Try again
          </Button>
        ) : (
          <IconButton
            size="small"
            icon={RotateCw}
            label="Regenerate"
            aria-disabled={isLocked || undefined}
            onClick={() => !isLocked && actions.regenerate(message)}
          />
        ))}
      {content !== '' && couldAnswer && (
        <span className="flex shrink-0 items-center gap-1">
          {renderThumb('good')}
          {renderThumb('bad')}
        </span>
      )}
      {versions && hasFailed && (
        // A failed attempt is not a version, so there is nothing to count.
        <Button
          size="small"
          variant="ghost"
          disabled={isLocked}
          onClick={() => {
            const { ids, current } = versions
            const to = ids[current - 1] ?? ids[current + 1]
            if (to !== undefined) actions.showVersion({ from: message._id, to })
          }}
        >
          Show the earlier reply
        </Button>
      )}
      {versions && !hasFailed && (
        <VersionSwitch
          versions={versions}
          isLocked={isLocked}
          onShow={(to) => actions.showVersion({ from: message._id, to })}
        />
      )}
      {model && (
        <Menu
          icon={Ellipsis}
          label="More actions for this reply"
          tip="More"
          items={[createModelItem(model)]}
          className="size-8 [&_svg]:size-4"
        />
      )}
      <p className="min-w-0 ps-2 text-muted text-xs tabular-nums">
        <time dateTime={timestamp} title={formatFullTime(time)}>
          {formatMessageTime(time, new Date())}
        </time>
      </p>
    </div>
  )
})
