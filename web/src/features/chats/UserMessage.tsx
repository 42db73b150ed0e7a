import { RotateCw } from 'lucide-react'
import { memo } from 'react'
import { messageTime } from '#lib/chat-time.ts'
import { Button } from '#ui/Button.tsx'
import { messages } from '../../messages/member.ts'
import { type Delivery, DeliveryTick } from './DeliveryTick.tsx'

interface Props {
  text: string
  timestamp: string
  delivery: Delivery
  /** Set on a message the server never got. */
  unsentKey?: string
  onRetry?: (key: string) => void
  onDiscard?: (key: string) => void
}

export const UserMessage = memo(({ text, timestamp, delivery, unsentKey, onRetry, onDiscard }: Props) => {
  const time = new Date(timestamp)
  const hasFailed = delivery === 'failed'
  return (
    <div className="flex flex-col items-end">
      <h3 className="sr-only">You said</h3>
      <p
        dir="auto"
        className="wrap-anywhere max-w-[85%] whitespace-pre-wrap rounded-dialog bg-primary-50 px-4 py-2.5 text-base sm:max-w-[75%] dark:bg-primary-950"
      >
        {text}
        {hasFailed && <span className="text-danger">{messages.chat.notSent}</span>}
      </p>
      <p className="mt-1 flex items-center gap-1.5 px-1 text-muted text-xs tabular-nums">
        <time dateTime={timestamp} title={time.toLocaleString()}>
          {messageTime(time, new Date())}
        </time>
        <DeliveryTick delivery={delivery} />
      </p>
      {hasFailed && unsentKey !== undefined && (
        <div className="mt-1 flex gap-2">
          <Button size="small" onClick={() => onRetry?.(unsentKey)}>
            <RotateCw aria-hidden="true" className="size-4" />
            Try again
          </Button>
          <Button size="small" variant="ghost" onClick={() => onDiscard?.(unsentKey)}>
            Discard
          </Button>
        </div>
      )}
    </div>
  )
})
