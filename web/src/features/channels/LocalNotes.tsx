import { ImageUp } from 'lucide-react'
import { useState } from 'react'

interface PlacedNote {
  chatId: string
  /** As the chat was when it was said. */
  updatedAt: string
  text: string
}

/** What is said in a chat to whoever looks at it now, and never stored: it is gone when the chat goes on. */
export function useLocalNotes(chat: { _id: string; updatedAt: string } | undefined) {
  const [notes, setNotes] = useState<readonly PlacedNote[]>([])
  const shown = notes.filter(({ chatId, updatedAt }) => chatId === chat?._id && updatedAt === chat.updatedAt)
  function add(text: string): void {
    if (chat !== undefined) setNotes([...shown, { chatId: chat._id, updatedAt: chat.updatedAt, text }])
  }
  return { notes: shown.map(({ text }) => text), add }
}

/** Lines at the end of a chat that only this visit shows. */
export function LocalNotes({ notes }: { notes: readonly string[] }) {
  return notes.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end
    <li key={index} className="flex items-start justify-center gap-2 text-muted text-sm">
      <ImageUp aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span dir="auto" className="wrap-anywhere min-w-0">
        {text}
      </span>
    </li>
  ))
}
