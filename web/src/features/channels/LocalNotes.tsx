import { ImageUp } from 'lucide-react'
import { useState } from 'react'

interface ChatNote {
  chatId: string
  /** The chat's `updatedAt` when the note was added. */
  updatedAt: string
  text: string
}

/** Notes shown in a chat but never stored. They disappear when the chat changes. */
export function useLocalNotes(chat: { _id: string; updatedAt: string } | undefined) {
  const [notes, setNotes] = useState<readonly ChatNote[]>([])
  const shown = notes.filter(({ chatId, updatedAt }) => chatId === chat?._id && updatedAt === chat.updatedAt)
  function add(text: string): void {
    if (chat !== undefined) setNotes([...shown, { chatId: chat._id, updatedAt: chat.updatedAt, text }])
  }
  return { notes: shown.map(({ text }) => text), add }
}

/** Notes at the end of a chat, shown until the chat changes. */
export function LocalNotes({ notes }: { notes: readonly string[] }) {
  return notes.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: notes are only added at the end
    <li key={index} className="flex items-start justify-center gap-2 text-muted text-sm">
      <ImageUp aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span dir="auto" className="wrap-anywhere min-w-0">
        {text}
      </span>
    </li>
  ))
}
