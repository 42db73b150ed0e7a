import { Dialog } from '#ui/Dialog.tsx'
import { ChatSearch } from './ChatSearch.tsx'
import type { Found } from './search-query.ts'

interface Props {
  open: boolean
  channelId: string
  onChoose: (found: Found) => void
  onClose: () => void
}

export const SearchDialog = ({ open, channelId, onChoose, onClose }: Props) => (
  <Dialog open={open} onClose={onClose} title="Search your chats">
    <ChatSearch channelId={channelId} onChoose={onChoose} />
  </Dialog>
)
