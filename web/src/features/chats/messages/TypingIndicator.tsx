import type { ReplyStatus, Turn } from '../turns/activity.ts'

const labels: Record<ReplyStatus, string> = {
  searching: 'Searching the documents…',
  thinking: 'Writing the answer…',
  checking: 'Checking the sources…',
}

const dot = 'size-1.5 animate-pulse rounded-full bg-muted [animation-duration:1.2s]'

function getLabel({ phase, status, isReconnecting }: Turn): string {
  if (isReconnecting)
    return phase === 'sending' ? 'Not delivered yet. Trying again…' : 'Connection lost. Reconnecting…'
  if (status !== null) return labels[status]
  return phase === 'sending' ? 'Sending…' : 'Thinking…'
}

/** Three dots with the current step. Screen readers get the text of the `Announcer` instead. */
export function TypingIndicator({ turn }: { turn: Turn | null }) {
  return (
    <p className="flex min-h-6.5 items-center gap-3 text-muted text-sm">
      <span aria-hidden="true" className="flex gap-1">
        <span className={dot} />
        <span className={`${dot} [animation-delay:200ms]`} />
        <span className={`${dot} [animation-delay:400ms]`} />
      </span>
      <span>{turn && getLabel(turn)}</span>
    </p>
  )
}
