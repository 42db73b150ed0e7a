import { RotateCw } from 'lucide-react'
import { memo, useRef } from 'react'
import { connection } from '#lib/connection.ts'
import { useStore } from '#lib/store.ts'
import { useLostFocus } from '#lib/use-lost-focus.ts'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { findFocusTarget } from '../composer/MessageInput.tsx'
import { useIsReadOnly } from '../read-only.ts'
import type { UnsentMessage as Unsent } from '../turns/activity.ts'
import { UserBubble, UserRow } from './UserMessage.tsx'

interface Props {
  message: Unsent
  /** A reply is running, so the message would be refused again. */
  isLocked: boolean
  onRetry: (key: string) => void
  onDiscard: (key: string) => void
}

/** Disappear with the failure, and then the message field gets the focus. */
function FailedActions({ message: { key, text }, isLocked, onRetry, onDiscard }: Props) {
  const isReadOnly = useIsReadOnly()
  const isConnected = useStore(connection.state) === 'up'
  const actions = useRef<HTMLDivElement>(null)
  useLostFocus(actions, () => findFocusTarget()?.focus())
  return (
    <div ref={actions} className="contents">
      {isReadOnly ? (
        <CopyButton label="Copy message" text={() => text} />
      ) : (
        <Button size="small" disabled={isLocked || !isConnected} onClick={() => onRetry(key)}>
          <RotateCw aria-hidden="true" className="size-4" />
          Try again
        </Button>
      )}
      <Button size="small" variant="ghost" onClick={() => onDiscard(key)}>
        Discard
      </Button>
    </div>
  )
}

/** A message that is being sent or that could not be sent. */
export const UnsentMessage = memo((props: Props) => {
  const { text, files, timestamp, hasFailed } = props.message
  return (
    <UserRow>
      <UserBubble text={text} files={files} timestamp={timestamp} delivery={hasFailed ? 'failed' : 'sent'}>
        {hasFailed && <FailedActions {...props} />}
      </UserBubble>
    </UserRow>
  )
})
