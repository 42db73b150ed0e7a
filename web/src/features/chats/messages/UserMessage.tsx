import type { ChatMessage } from '@lyceum/contract/chats'
import { Pencil, RotateCw } from 'lucide-react'
import { memo, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { messageTime, wholeTime } from '#lib/chat-time.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { texts } from '#texts/member.ts'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { toast } from '#ui/toast.ts'
import { type Delivery, DeliveryTick } from './DeliveryTick.tsx'
import type { MessageActions } from './use-message-actions.ts'
import { VersionSwitch } from './VersionSwitch.tsx'

const MessageEditor = lazyComponent(async () => (await import('./MessageEditor.tsx')).MessageEditor)

interface BubbleProps {
  text: string
  timestamp: string
  delivery: Delivery
  /** What can be done with it, beside its time. */
  children?: ReactNode
}

/** What a person said, when, and how far it came. */
export function UserBubble({ text, timestamp, delivery, children }: BubbleProps) {
  const time = new Date(timestamp)
  return (
    <>
      <p
        dir="auto"
        className="wrap-anywhere max-w-[85%] whitespace-pre-wrap rounded-dialog bg-primary-50 px-4 py-2.5 text-base sm:max-w-[75%] dark:bg-primary-950 forced-colors:border"
      >
        {text}
        {delivery === 'failed' && <span className="text-danger">{texts.chat.notSent}</span>}
      </p>
      <div className="mt-1 flex flex-wrap items-center justify-end gap-x-1 gap-y-1.5">
        <p className="flex items-center gap-1.5 px-1 text-muted text-xs tabular-nums">
          <time dateTime={timestamp} title={wholeTime(time)}>
            {messageTime(time, new Date())}
          </time>
          <DeliveryTick delivery={delivery} />
        </p>
        {children}
      </div>
    </>
  )
}

export function UserRow({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col items-end">
      <h3 className="sr-only">You said</h3>
      {children}
    </div>
  )
}

interface Props {
  message: ChatMessage
  /** The reply that failed: the message did not get through. */
  failedReply: ChatMessage | null
  /** Other words for it that could not be sent. */
  unsentEdit: string | null
  /** Nothing that changes the conversation can be begun meanwhile. */
  isClosed: boolean
  actions: MessageActions
}

/** A message as the server has it. It can be sent again in other words. */
export const UserMessage = memo(({ message, failedReply, unsentEdit, isClosed, actions }: Props) => {
  const [isOpened, setIsOpened] = useState(false)
  const [isShown, setIsShown] = useState(false)
  const isEditing = isOpened || unsentEdit !== null
  const pencil = useRef<HTMLButtonElement>(null)
  const wasShown = useRef(false)
  useEffect(() => {
    if (wasShown.current && !isShown) pencil.current?.focus()
    wasShown.current = isShown
  }, [isShown])
  const leave = useCallback(() => {
    actions.forgetEdit()
    setIsOpened(false)
    setIsShown(false)
  }, [actions])
  const giveUp = useCallback(() => {
    toast.error(texts.chat.editorFailed)
    leave()
  }, [leave])
  const { _id: id, content, timestamp, versions, status = 'delivered' } = message

  // Until its code is there, the message stays as it is.
  const editor = isEditing && (
    <MessageEditor
      open
      onLoadError={giveUp}
      props={{
        text: unsentEdit ?? content,
        isClosed,
        onShown: () => setIsShown(true),
        onSend: (text) => actions.edit(id, text),
        onCancel: leave,
      }}
    />
  )
  return (
    <UserRow>
      {editor}
      {!(isEditing && isShown) && (
        <UserBubble text={content} timestamp={timestamp} delivery={failedReply ? 'failed' : status}>
          <IconButton
            ref={pencil}
            size="small"
            icon={Pencil}
            label="Edit message"
            labelSide="end"
            onClick={() => setIsOpened(true)}
          />
          <CopyButton isIconOnly text={() => content} label="Copy message" />
          {versions && (
            <VersionSwitch
              versions={versions}
              isClosed={isClosed}
              onShow={(to) => actions.showVersion({ from: id, to })}
            />
          )}
          {failedReply && (
            <Button size="small" disabled={isClosed} onClick={() => actions.askAgain(failedReply)}>
              <RotateCw aria-hidden="true" className="size-4" />
              Try again
            </Button>
          )}
        </UserBubble>
      )}
    </UserRow>
  )
})
