import type { ChatMessage, Citation } from '@lyceum/contract/chats'
import { RotateCw, Sparkles } from 'lucide-react'
import { memo, type ReactNode, useSyncExternalStore } from 'react'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import type { Turn } from './activity.ts'
import type { ReplyText } from './live-text.ts'
import { ReplyNote } from './ReplyNote.tsx'
import { Reply } from './reply/Reply.tsx'
import { TypingIndicator } from './TypingIndicator.tsx'

/** The assistant's side of a turn: its mark, and beside it what it says. */
export const AssistantRow = ({ children }: { children: ReactNode }) => (
  <div className="flex gap-3">
    <span className="mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-full bg-primary-500 text-white">
      <Sparkles aria-hidden="true" className="size-3.5" />
    </span>
    <div className="min-w-0 flex-1 space-y-3">
      <h3 className="sr-only">The assistant said</h3>
      {children}
    </div>
  </div>
)

const unheard = () => () => undefined
const nothing: ReplyText = { text: '', citations: [] }
const readNothing = () => nothing

interface Props {
  message: ChatMessage
  /** The turn that writes this reply or has written it; null of one that came from the server as it is. */
  turn: Turn | null
  /** Null when it cannot be asked for again. */
  onAskAgain: ((message: ChatMessage) => void) | null
  onFollow: (message: ChatMessage) => void
  onOpenCitation: (citation: Citation) => void
}

export const AssistantMessage = memo(({ message, turn, onAskAgain, onFollow, onOpenCitation }: Props) => {
  const isWriting = message.state === 'streaming'
  const live = isWriting ? turn?.live : undefined
  // One component for the growing and the finished text: what has been drawn of it stays.
  const grown = useSyncExternalStore(live?.subscribe ?? unheard, live?.read ?? readNothing)
  const { text, citations } = live ? grown : { text: message.content, citations: message.citations }
  const isLost = isWriting && turn?.phase === 'lost'
  const isWaiting = isWriting && !isLost && (text === '' || turn?.status !== null || turn.isReconnecting)
  return (
    <AssistantRow>
      {text !== '' && (
        <Reply
          text={text}
          citations={citations}
          streaming={isWriting && !isLost}
          onOpenCitation={onOpenCitation}
        />
      )}
      {isWaiting && (
        <TypingIndicator status={turn?.status ?? null} isReconnecting={turn?.isReconnecting ?? false} />
      )}
      <ReplyNote message={message} isLost={isLost} />
      {(!isWriting || isLost) && (
        <div className="-ml-2 flex flex-wrap items-center gap-1">
          {text !== '' && <CopyButton text={() => text} label="Copy reply" />}
          {onAskAgain !== null && !isLost && (
            <button
              type="button"
              onClick={() => onAskAgain(message)}
              className="inline-flex h-8 items-center gap-1.5 rounded-control px-2 font-medium text-muted text-xs transition-colors hover:bg-surface-2 hover:text-ink"
            >
              <RotateCw aria-hidden="true" className="size-3.5" />
              Ask again
            </button>
          )}
          {isLost && (
            <Button size="small" onClick={() => onFollow(message)}>
              <RotateCw aria-hidden="true" className="size-3.5" />
              Connect again
            </Button>
          )}
        </div>
      )}
    </AssistantRow>
  )
})
