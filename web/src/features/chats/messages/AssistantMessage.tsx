import type { ChatMessage } from '@lyceum/contract/chats'
import { RotateCw, Sparkles } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { createStore, useStore } from '#lib/store.ts'
import { Button } from '#ui/Button.tsx'
import type { OpenCitation } from '../reply/citation.ts'
import { Reply } from '../reply/Reply.tsx'
import type { Turn } from '../turns/activity.ts'
import type { ReplyText } from '../turns/live-text.ts'
import { ReplyActions } from './ReplyActions.tsx'
import { isCut, isOutdatedRefusal, ReplyNote } from './ReplyNote.tsx'
import { TypingIndicator } from './TypingIndicator.tsx'
import type { MessageActions } from './use-message-actions.ts'

/** The assistant's side of a turn, with its icon. */
export function AssistantRow({ children }: { children: ReactNode }) {
  return (
    <div className="flex gap-3 max-sm:flex-col max-sm:gap-1.5">
      <span className="mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-full bg-primary-500 text-white">
        <Sparkles aria-hidden="true" className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1 space-y-3">
        <h3 className="sr-only">The assistant said</h3>
        {children}
      </div>
    </div>
  )
}

/** Whether the browser shows a translation of the page, which then includes only elements that were added later. */
function isPageTranslated(): boolean {
  return /\btranslated-(?:ltr|rtl)\b/.test(document.documentElement.className)
}

const noLiveText = createStore<ReplyText>({ text: '', citations: [], initialLength: 0 })

interface Props {
  message: ChatMessage
  /** The turn that is writing or has written this reply; null for a stored reply. */
  turn: Turn | null
  /** A reply or another change to the conversation is in progress, so no other can be started. */
  isLocked: boolean
  /** The question was asked again later in the chat. */
  wasAskedAgain: boolean
  actions: MessageActions
  onOpenCitation: OpenCitation
}

export const AssistantMessage = memo((props: Props) => {
  const { message, turn, isLocked, wasAskedAgain, actions, onOpenCitation } = props
  // An interrupted reply counts as running as soon as its continuation is requested.
  const isWriting = message.state === 'streaming' || turn?.phase === 'sending'
  const live = isWriting ? turn?.live : undefined
  // Use one component for the growing and the finished text, so that React keeps the rendered blocks, unless they still
  // have to be translated.
  const liveText = useStore(live ?? noLiveText)
  const { text, citations } = live ? liveText : { text: message.content, citations: message.citations }
  const isLost = isWriting && turn?.phase === 'lost'
  const hasNoNewText = !live || liveText.text.length === liveText.initialLength
  const isWaiting = isWriting && !isLost && (hasNoNewText || turn?.status !== null || turn.isReconnecting)
  return (
    <AssistantRow>
      {text !== '' && !isOutdatedRefusal(message) && (
        <Reply
          key={!isWriting && isPageTranslated() ? 'finished' : 'growing'}
          text={text}
          citations={citations}
          streaming={isWriting && !isLost}
          isCut={isLost || isCut(message)}
          onOpenCitation={onOpenCitation}
        />
      )}
      {isWaiting && <TypingIndicator turn={turn} />}
      {(!isWriting || isLost) && <ReplyNote message={message} isLost={isLost} />}
      {!isWriting && <ReplyActions {...{ message, isLocked, wasAskedAgain, actions }} />}
      {isLost && (
        <Button size="small" onClick={() => actions.follow(message)}>
          <RotateCw aria-hidden="true" className="size-3.5" />
          Reconnect
        </Button>
      )}
    </AssistantRow>
  )
})
