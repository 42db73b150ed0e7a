import type { Chat } from '@lyceum/contract/chats'
import { useRef } from 'react'
import { fetchedPart } from '#lib/fetched-part.tsx'
import { writingPlace } from './composer/MessageInput.tsx'
import type { Found } from './search/search-query.ts'
import type { ChatSelection } from './sidebar/use-chat-selection.ts'

// What floats over the chat is seldom the first thing anybody looks at.
const DeleteChatDialog = fetchedPart(
  async () => (await import('./sidebar/DeleteChatDialog.tsx')).DeleteChatDialog,
)
const RenameChatDialog = fetchedPart(
  async () => (await import('./sidebar/RenameChatDialog.tsx')).RenameChatDialog,
)
const PrintDialog = fetchedPart(async () => (await import('./print/PrintDialog.tsx')).PrintDialog)
const SearchDialog = fetchedPart(async () => (await import('./search/SearchDialog.tsx')).SearchDialog)
const ShortcutSheet = fetchedPart(async () => (await import('./shortcuts/ShortcutSheet.tsx')).ShortcutSheet)

/** Whoever presses a key goes on typing: what takes the letters then has to be there, or they do something else. */
export function prepareDialogs(): void {
  for (const { prepare } of [SearchDialog, RenameChatDialog, DeleteChatDialog]) prepare()
}

/** What is asked or shown over the chat. */
export type ChatDialog =
  | { kind: 'remove' | 'rename' | 'print'; chat: Chat }
  | { kind: 'search' }
  | { kind: 'help' }

interface Props {
  shown: ChatDialog | null
  channelId: string
  selection: ChatSelection
  onFound: (found: Found) => void
  onClose: () => void
  /** Its code could not be fetched. */
  onUnavailable: () => void
}

export function ChatDialogs({ shown, channelId, selection, onFound, onClose, onUnavailable }: Props) {
  const doomed = shown?.kind === 'remove' ? shown.chat : null
  const named = shown?.kind === 'rename' ? shown.chat : null
  const printed = shown?.kind === 'print' ? shown.chat : null
  const isSearching = shown?.kind === 'search'
  const isHelping = shown?.kind === 'help'
  const hasRemoved = useRef(false)

  async function handleDelete(): Promise<void> {
    if (doomed === null) return
    hasRemoved.current = await selection.remove(doomed._id)
    onClose()
  }

  return (
    <>
      <DeleteChatDialog
        isNeeded={doomed !== null}
        onUnavailable={onUnavailable}
        props={{
          chat: doomed,
          isBusy: selection.isRemoving,
          onConfirm: () => void handleDelete(),
          onCancel: () => {
            hasRemoved.current = false
            onClose()
          },
          // What it was asked with has gone with the chat.
          finalFocus: () => (hasRemoved.current ? writingPlace() : null),
        }}
      />
      <RenameChatDialog
        isNeeded={named !== null}
        onUnavailable={onUnavailable}
        props={{
          chat: named,
          onRename: (chat, title) => {
            selection.rename({ chat, title })
            onClose()
          },
          onCancel: onClose,
        }}
      />
      <PrintDialog
        isNeeded={printed !== null}
        onUnavailable={onUnavailable}
        props={{ channelId, chat: printed, onClose }}
      />
      <SearchDialog
        isNeeded={isSearching}
        onUnavailable={onUnavailable}
        props={{ open: isSearching, channelId, onChoose: onFound, onClose }}
      />
      <ShortcutSheet
        isNeeded={isHelping}
        onUnavailable={onUnavailable}
        props={{ open: isHelping, onClose }}
      />
    </>
  )
}
