import { useEffect, useRef } from 'react'
import { Dialog } from '#ui/Dialog.tsx'
import { ChatSearch } from './ChatSearch.tsx'
import type { SearchResult } from './search-query.ts'

interface Props {
  open: boolean
  channelId: string
  onChoose: (result: SearchResult, words: string) => void
  onClose: () => void
}

export function SearchDialog({ open, channelId, onChoose, onClose }: Props) {
  // After a choice, the chosen message takes the focus instead of the button that opened the dialog.
  const hasChosen = useRef(false)
  useEffect(() => {
    if (open) hasChosen.current = false
  }, [open])
  return (
    <Dialog open={open} onClose={onClose} title="Search your chats" finalFocus={() => !hasChosen.current}>
      <ChatSearch
        channelId={channelId}
        onChoose={(result, words) => {
          hasChosen.current = true
          onChoose(result, words)
        }}
      />
    </Dialog>
  )
}
