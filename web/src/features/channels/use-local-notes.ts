import { useState } from 'react'

interface PlacedNote {
  chatId: string
  /** As the chat was when it was said. */
  updatedAt: string
  text: string
}

/** What is said in a chat to whoever looks at it now, and never stored: it is gone when the chat goes on. */
export const useLocalNotes = (chat: { _id: string; updatedAt: string } | undefined) => {
  const [notes, setNotes] = useState<readonly PlacedNote[]>([])
  const shown = notes.filter(({ chatId, updatedAt }) => chatId === chat?._id && updatedAt === chat.updatedAt)
  const add = (text: string): void => {
    if (chat !== undefined) setNotes([...shown, { chatId: chat._id, updatedAt: chat.updatedAt, text }])
  }
  return { notes: shown.map(({ text }) => text), add }
}
