import type { Chat } from '@lyceum/contract/chats'
import { useRef } from 'react'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { writingPlace } from './composer/MessageInput.tsx'
import type { Found } from './search/search-query.ts'
import type { ChatSelection } from './sidebar/use-chat-selection.ts'

// What floats over the chat is seldom the first thing anybody looks at.
const DeleteChatDialog = lazyComponent(
  async () => (await import('./sidebar/DeleteChatDialog.tsx')).DeleteChatDialog,
)
const RenameChatDialog = lazyComponent(
  async () => (await import('./sidebar/RenameChatDialog.tsx')).RenameChatDialog,
)
const PrintDialog = lazyComponent(async () => (await import('./print/PrintDialog.tsx')).PrintDialog)
const SearchDialog = lazyComponent(async () => (await import('./search/SearchDialog.tsx')).SearchDialog)
const ShortcutSheet = lazyComponent(async () => (await import('./shortcuts/ShortcutSheet.tsx')).ShortcutSheet)

/** Whoever presses a key goes on typing: what takes the letters then has to be there, or they do something else. */
export function preloadDialogs(): void {
  for (const { preload } of [SearchDialog, RenameChatDialog, DeleteChatDialog]) preload()
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
  onLoadError: () => void
}

export function ChatDialogs({ shown, channelId, selection, onFound, onClose, onLoadError }: Props) {
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
        open={doomed !== null}
        onLoadError={onLoadError}
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
        open={named !== null}
        onLoadError={onLoadError}
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
        open={printed !== null}
        onLoadError={onLoadError}
        props={{ channelId, chat: printed, onClose }}
      />
      <SearchDialog
        open={isSearching}
        onLoadError={onLoadError}
        props={{ open: isSearching, channelId, onChoose: onFound, onClose }}
      />
      <ShortcutSheet open={isHelping} onLoadError={onLoadError} props={{ open: isHelping, onClose }} />
    </>
  )
}
