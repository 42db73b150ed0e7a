import { RotateCw } from 'lucide-react'
import { memo } from 'react'
import { connection } from '#lib/connection.ts'
import { useStore } from '#lib/store.ts'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
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

/** A message that is being sent or that could not be sent. */
export const UnsentMessage = memo(({ message, isLocked, onRetry, onDiscard }: Props) => {
  const isReadOnly = useIsReadOnly()
  const isConnected = useStore(connection.state) === 'up'
  const { key, text, files, timestamp, hasFailed } = message
  return (
    <UserRow>
      <UserBubble text={text} files={files} timestamp={timestamp} delivery={hasFailed ? 'failed' : 'sent'}>
        {hasFailed && (
          <>
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
          </>
        )}
      </UserBubble>
    </UserRow>
  )
})
