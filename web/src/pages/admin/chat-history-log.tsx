import type { Citation } from '@lyceum/contract/citations'
import { ArrowDown, ScrollText } from 'lucide-react'
import {
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { type HistoryMessage, HistoryMessageRow } from '#features/chat-history/HistoryMessageRow.tsx'
import { isCut } from '#features/chats/messages/ReplyNote.tsx'
import { countRowsToFill } from '#features/chats/messages/rows-to-fill.ts'
import { useMessageWindow } from '#features/chats/messages/use-message-window.ts'
import { waitForFormulas } from '#features/chats/reply/load-katex.ts'
import { Reply } from '#features/chats/reply/Reply.tsx'
import { phoneQuery, useMediaQuery } from '#lib/use-media-query.ts'
import { whenIdle } from '#lib/when-idle.ts'
import { whenInUse } from '#lib/when-in-use.ts'
import { Button } from '#ui/Button.tsx'

/** Rows added at a time: few enough to keep scrolling smooth. */
const rowsPerStep = 8
/** Within this distance of the end, more rows are added. */
const endEdgePx = 1200
/** Within this distance of the end, there is no button that leads there. */
const nearEndPx = 100
const idleTimeoutMs = 400

const scrollKeys: ReadonlySet<string> = new Set([
  'PageDown',
  'PageUp',
  'ArrowDown',
  'ArrowUp',
  'Home',
  'End',
  ' ',
])

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
    reply={
      <Reply
        text={message.content}
        citations={message.citations}
        isCut={isCut(message)}
        onOpenCitation={onOpenCitation}
      />
    }
  />
))

interface LogProps extends Pick<RowProps, 'name' | 'onOpenCitation'> {
  messages: readonly HistoryMessage[]
  more: { hasMore: boolean; isLoading: boolean; load: () => void }
}

interface EndButton {
  label: string
  isShown: boolean
  onClick: () => void
}

interface FrameProps {
  /** Set to the element that scrolls: the messages, or the page on phones. */
  scroller: RefObject<HTMLDivElement | null>
  onScroll: () => void
  children: ReactNode
  endButton: EndButton
  /** For messages that replace those which had the focus. */
  takesFocus?: boolean
}

function LogFrame({ scroller, onScroll, children, endButton, takesFocus = false }: FrameProps) {
  const { label, isShown, onClick } = endButton
  const isPhone = useMediaQuery(phoneQuery)
  const section = useRef<HTMLDivElement>(null)
  const handleScroll = useEffectEvent(onScroll)
  useLayoutEffect(() => {
    const target = isPhone ? document : section.current
    // Only properties that every element has are used.
    scroller.current = isPhone ? (document.documentElement as HTMLDivElement) : section.current
    function forward(): void {
      handleScroll()
    }
    target?.addEventListener('scroll', forward, { passive: true })
    return () => target?.removeEventListener('scroll', forward)
  }, [isPhone, scroller])
  // The page around the messages does not scroll. Keys that would scroll it move the focus, and so scroll the messages.
  useEffect(() => {
    if (isPhone) return
    function takeKey({ target, key }: KeyboardEvent): void {
      const isOnPage = target === document.body || (target instanceof Element && target.id === 'main')
      if (isOnPage && scrollKeys.has(key)) section.current?.focus({ preventScroll: true })
    }
    document.addEventListener('keydown', takeKey)
    return () => document.removeEventListener('keydown', takeKey)
  }, [isPhone])
  useEffect(() => {
    if (takesFocus) section.current?.focus({ preventScroll: true })
  }, [takesFocus])
  return (
    <div className="flex flex-1 flex-col gap-3 sm:min-h-0">
      <h2 className="sr-only">Messages</h2>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <p className="flex items-start gap-2 text-muted text-xs">
          <ScrollText aria-hidden="true" className="mt-px size-3.5 shrink-0" />
          Viewing this chat is recorded in the audit log.
        </p>
        {/* Above the messages, where it covers none of their text. It keeps its space, so that they do not move. */}
        <Button
          size="small"
          style={{ visibility: isShown ? 'visible' : 'hidden' }}
          onClick={() => {
            onClick()
            // The button disappears, so move the focus to the messages.
            section.current?.focus({ preventScroll: true })
          }}
        >
          <ArrowDown aria-hidden="true" className="size-4" />
          {label}
        </Button>
      </div>
      <section
        ref={section}
        aria-label="Messages"
        tabIndex={isPhone ? -1 : 0}
        className="relative rounded-card border border-hairline bg-page sm:min-h-0 sm:flex-1 sm:overflow-y-auto sm:overscroll-contain sm:[scrollbar-gutter:stable]"
      >
        <div className="mx-auto max-w-3xl px-4 py-4 sm:py-6 md:px-6">{children}</div>
      </section>
    </div>
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
    const view = scroller.current
    const isViewFilled = view !== null && view.scrollHeight > view.clientHeight
    let isUnmounted = false
    let cancel: () => void = () => undefined
    void waitForFormulas().then(() => {
      if (!isUnmounted) cancel = (isViewFilled ? whenInUse : whenIdle)(() => measureWhenIdle(), idleTimeoutMs)
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
    requestAnimationFrame(() => scroller.current?.scrollTo({ top: scroller.current.scrollHeight }))
  }

  return (
    <LogFrame
      scroller={scroller}
      onScroll={measure}
      endButton={{ label: 'Go to the end', isShown: hasLater || isFarFromEnd, onClick: goToEnd }}
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
      endButton={{ label: 'Jump to latest', isShown: view.isScrolledUp, onClick: view.goToEnd }}
      takesFocus
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
