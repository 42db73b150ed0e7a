import type { Citation } from '@lyceum/contract/chats'
import { ArrowDown } from 'lucide-react'
import { memo, type ReactNode, type Ref, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type HistoryMessage, HistoryMessageRow } from '#features/chat-history/HistoryMessageRow.tsx'
import { countRowsToFill } from '#features/chats/messages/rows-to-fill.ts'
import { useMessageWindow } from '#features/chats/messages/use-message-window.ts'
import { waitForFormulas } from '#features/chats/reply/load-katex.ts'
import { Reply } from '#features/chats/reply/Reply.tsx'
import { whenIdle } from '#lib/when-idle.ts'
import { Button } from '#ui/Button.tsx'

/** Rows added at a time: few enough to keep scrolling smooth. */
const rowsPerStep = 8
/** Within this distance of the end, more rows are added. */
const endEdgePx = 1200
/** Within this distance of the end, there is no button that leads there. */
const nearEndPx = 100
const idleTimeoutMs = 400

interface RowProps {
  message: HistoryMessage
  name: string
  onOpenCitation: (citation: Citation) => void
}

/** Memoized, because scrolling re-renders the list often. */
const Row = memo(({ message, name, onOpenCitation }: RowProps) => (
  <HistoryMessageRow
    message={message}
    name={name}
    reply={<Reply text={message.content} citations={message.citations} onOpenCitation={onOpenCitation} />}
  />
))

interface LogProps extends Pick<RowProps, 'name' | 'onOpenCitation'> {
  messages: readonly HistoryMessage[]
  more: { hasMore: boolean; isLoading: boolean; load: () => void }
}

interface FrameProps {
  scroller: Ref<HTMLDivElement>
  onScroll: () => void
  children: ReactNode
  /** Over the end of the messages. */
  button: ReactNode
}

function LogFrame({ scroller, onScroll, children, button }: FrameProps) {
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <h2 className="sr-only">Messages</h2>
      <section
        ref={scroller}
        aria-label="Messages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the messages are scrolled with the keyboard
        tabIndex={0}
        onScroll={onScroll}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain rounded-card border border-hairline bg-page [scrollbar-gutter:stable]"
      >
        <div className="mx-auto max-w-3xl px-4 py-6 md:px-6">{children}</div>
      </section>
      {button}
    </div>
  )
}

function EndButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button
      size="small"
      className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-float"
      onClick={onClick}
    >
      <ArrowDown aria-hidden="true" className="size-4" />
      {label}
    </Button>
  )
}

interface FromStartProps extends LogProps {
  /** Shows the end of a chat of which only the beginning is loaded. */
  onShowEnd: () => void
}

/** A chat from its beginning. More messages are rendered as the reader scrolls down. */
export function LogFromStart({ messages, name, more, onOpenCitation, onShowEnd }: FromStartProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [count, setCount] = useState(() => countRowsToFill(messages.toReversed()))
  const [isFarFromEnd, setIsFarFromEnd] = useState(false)
  const hasLater = count < messages.length || more.hasMore

  function showLater(): void {
    if (count < messages.length) setCount(count + rowsPerStep)
    else if (more.hasMore && !more.isLoading) more.load()
  }
  function measure(): void {
    const view = scroller.current
    // Without a layout, nothing can be scrolled.
    if (view === null || view.clientHeight === 0) return
    const below = view.scrollHeight - view.scrollTop - view.clientHeight
    setIsFarFromEnd(below > nearEndPx)
    // Only scrolling loads more, because each page is recorded in the audit log.
    if (below < endEdgePx && (count < messages.length || view.scrollTop > 0)) showLater()
  }
  const measureWhenIdle = useEffectEvent(measure)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after every change of the rendered rows
  useEffect(() => {
    let isUnmounted = false
    let cancel: () => void = () => undefined
    void waitForFormulas().then(() => {
      if (!isUnmounted) cancel = whenIdle(() => measureWhenIdle(), idleTimeoutMs)
    })
    return () => {
      isUnmounted = true
      cancel()
    }
  }, [count, messages.length])

  function goToEnd(): void {
    if (more.hasMore) {
      onShowEnd()
      return
    }
    setCount(messages.length)
    // The button disappears, so move the focus to the messages.
    scroller.current?.focus({ preventScroll: true })
    requestAnimationFrame(() => scroller.current?.scrollTo({ top: scroller.current.scrollHeight }))
  }

  return (
    <LogFrame
      scroller={scroller}
      onScroll={measure}
      button={(hasLater || isFarFromEnd) && <EndButton label="Go to the end" onClick={goToEnd} />}
    >
      {messages.length === 0 && <p className="py-10 text-center text-muted text-sm">No messages yet.</p>}
      <ol className="space-y-6">
        {messages.slice(0, count).map((message) => (
          <li key={message._id}>
            <Row message={message} name={name} onOpenCitation={onOpenCitation} />
          </li>
        ))}
      </ol>
      {hasLater && (
        <div className="mt-6 mb-8 flex justify-center">
          <Button size="small" variant="ghost" busy={more.isLoading} onClick={showLater}>
            Show later messages
          </Button>
        </div>
      )}
    </LogFrame>
  )
}

/** A chat from its end. Renders only the messages near the viewport. */
export function LogFromEnd({ messages, name, more, onOpenCitation }: LogProps) {
  const view = useMessageWindow(messages, more)
  const hasEarlier = view.start > 0 || more.hasMore
  return (
    <LogFrame
      scroller={view.scroller}
      onScroll={view.handleScroll}
      button={
        view.isScrolledUp && (
          <EndButton
            label="Jump to latest"
            onClick={() => {
              view.goToEnd()
              view.scroller.current?.focus({ preventScroll: true })
            }}
          />
        )
      }
    >
      {hasEarlier && (
        <div className="mb-6 flex justify-center">
          <Button size="small" variant="ghost" busy={more.isLoading} onClick={view.showEarlier}>
            Show earlier messages
          </Button>
        </div>
      )}
      <ol ref={view.list} className="space-y-6">
        {messages.slice(view.start, view.end).map((message) => (
          <li key={message._id} data-id={message._id}>
            <Row message={message} name={name} onOpenCitation={onOpenCitation} />
          </li>
        ))}
      </ol>
    </LogFrame>
  )
}
