import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { channelQuery } from '#features/channels/queries.ts'
import { formatCount } from '#lib/format-count.ts'
import { useToastLift } from '#ui/use-toast-lift.ts'

/**
 * Keeps the field above a phone's keyboard in browsers that show the keyboard over the page: `--keyboard` is the
 * covered height, which the screen subtracts from its own.
 */
function useKeyboardInset(): void {
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const { style } = document.documentElement
    function measure({ scale, height }: VisualViewport): void {
      // A pinch zoom also makes the viewport smaller, but nothing is covered then.
      const covered = scale > 1.01 ? 0 : Math.max(0, Math.round(innerHeight - height))
      style.setProperty('--keyboard', `${covered}px`)
      // The browser scrolled the page to show the field.
      if (covered > 0) scrollTo(0, 0)
    }
    function handleResize(): void {
      if (viewport) measure(viewport)
    }
    viewport.addEventListener('resize', handleResize)
    return () => {
      viewport.removeEventListener('resize', handleResize)
      style.removeProperty('--keyboard')
    }
  }, [])
}

function retentionText(days: number): string {
  return `Chats are kept for ${formatCount(days, 'day')}`
}

/** The review notice and the retention period that administrators have set. */
function ChatNotices({ channelId }: { channelId: string }) {
  const { data: channel } = useQuery({ ...channelQuery(channelId), meta: { quiet: true } })
  const notice = channel?.reviewNotice ?? null
  const days = channel?.chatsKeptDays ?? null
  // While loading, an empty line reserves the space, so that nothing moves.
  if (channel !== undefined && notice === null && days === null) return null
  return (
    <p className="wrap-anywhere mt-2 min-h-4 text-center text-muted text-xs">
      {notice !== null && <bdi>{notice}</bdi>}
      {notice !== null && days !== null && <span aria-hidden="true"> · </span>}
      {days !== null && <span className="inline-block">{retentionText(days)}</span>}
    </p>
  )
}

/** The message field with the notices below it. */
export function ChatFooter({ channelId, children }: { channelId: string; children: ReactNode }) {
  const footer = useRef<HTMLDivElement>(null)
  useToastLift(footer)
  useKeyboardInset()
  return (
    // The margin is the place of toasts, so that they cover no buttons of the last reply.
    <div ref={footer} className="mt-[var(--toasts-height,0px)] print:hidden">
      <div className="mx-auto w-full max-w-3xl px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] md:px-6">
        {children}
        <ChatNotices channelId={channelId} />
      </div>
    </div>
  )
}
