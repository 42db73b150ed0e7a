import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { channelQuery } from '#features/channels/queries.ts'

/**
 * Keeps the field above a phone's keyboard where the browser lays it over the page instead of making room for it:
 * what the keyboard covers is taken off the height of the screen (`--keyboard`).
 */
function useKeyboardRoom(): void {
  useEffect(() => {
    const seen = window.visualViewport
    if (!seen) return
    const { style } = document.documentElement
    function measure(seen: VisualViewport): void {
      // Whoever zooms in sees a part of the page, and no keyboard covers the rest.
      const covered = seen.scale > 1.01 ? 0 : Math.max(0, Math.round(innerHeight - seen.height))
      style.setProperty('--keyboard', `${covered}px`)
      // The page itself has moved to show the field; its place is the top again.
      if (covered > 0) scrollTo(0, 0)
    }
    function handleResize(): void {
      if (seen) measure(seen)
    }
    seen.addEventListener('resize', handleResize)
    return () => {
      seen.removeEventListener('resize', handleResize)
      style.removeProperty('--keyboard')
    }
  }, [])
}

function keptWords(days: number): string {
  return `Chats are kept for ${days.toLocaleString()} days`
}

/** Who may read what is written here, and how long it is kept, as administrators chose it. */
function ChatTerms({ channelId }: { channelId: string }) {
  const { data: channel } = useQuery({ ...channelQuery(channelId), meta: { quiet: true } })
  const notice = channel?.reviewNotice ?? null
  const days = channel?.chatsKeptDays ?? null
  // Its line is there before its words, so that nothing moves when they come.
  if (channel !== undefined && notice === null && days === null) return null
  return (
    <p className="wrap-anywhere mt-2 min-h-4 text-center text-muted text-xs">
      {notice !== null && <bdi>{notice}</bdi>}
      {notice !== null && days !== null && <span aria-hidden="true"> · </span>}
      {days !== null && <span className="inline-block">{keptWords(days)}</span>}
    </p>
  )
}

/** Toasts appear above the field instead of on it. */
function useRoomForToasts(): void {
  useEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--toast-lift', '5.5rem')
    return () => {
      style.removeProperty('--toast-lift')
    }
  }, [])
}

/** The field to write in, and who may read what is written. */
export function ChatFoot({ channelId, children }: { channelId: string; children: ReactNode }) {
  useRoomForToasts()
  useKeyboardRoom()
  return (
    <div className="mx-auto w-full max-w-3xl px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] md:px-6 print:hidden">
      {children}
      <ChatTerms channelId={channelId} />
    </div>
  )
}
