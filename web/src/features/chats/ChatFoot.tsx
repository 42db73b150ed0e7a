import { type ReactNode, useEffect } from 'react'
import { ChatTerms } from './ChatTerms.tsx'
import { useKeyboardRoom } from './use-keyboard-room.ts'

/** Toasts appear above the field instead of on it. */
const useRoomForToasts = (): void =>
  useEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--toast-lift', '5.5rem')
    return () => {
      style.removeProperty('--toast-lift')
    }
  }, [])

/** The field to write in, and who may read what is written. */
export const ChatFoot = ({ channelId, children }: { channelId: string; children: ReactNode }) => {
  useRoomForToasts()
  useKeyboardRoom()
  return (
    <div className="mx-auto w-full max-w-3xl px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] md:px-6 print:hidden">
      {children}
      <ChatTerms channelId={channelId} />
    </div>
  )
}
