import type { Chat } from '@lyceum/contract/chats'
import { useRef } from 'react'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { findFocusTarget, findReadyField } from './composer/MessageInput.tsx'
import type { SearchResult } from './search/search-query.ts'
import type { ChatSelection } from './sidebar/use-chat-selection.ts'

const DeleteChatDialog = lazyComponent(
  async () => (await import('./sidebar/DeleteChatDialog.tsx')).DeleteChatDialog,
)
const RenameChatDialog = lazyComponent(
  async () => (await import('./sidebar/RenameChatDialog.tsx')).RenameChatDialog,
)
const ShareDialog = lazyComponent(async () => (await import('./sharing/ShareDialog.tsx')).ShareDialog)
const PrintDialog = lazyComponent(async () => (await import('./print/PrintDialog.tsx')).PrintDialog)
const SearchDialog = lazyComponent(async () => (await import('./search/SearchDialog.tsx')).SearchDialog)
const ShortcutsDialog = lazyComponent(
  async () => (await import('./shortcuts/ShortcutsDialog.tsx')).ShortcutsDialog,
)

/** Loads the dialogs that shortcuts open, so that keys typed right after a shortcut reach the dialog. */
export function preloadDialogs(): void {
  for (const { preload } of [SearchDialog, RenameChatDialog, DeleteChatDialog]) preload()
}

export type ChatDialog =
  | { kind: 'remove' | 'rename' | 'share' | 'print'; chat: Chat }
  | { kind: 'search' }
  | { kind: 'help' }

interface Props {
  dialog: ChatDialog | null
  channelId: string
  selection: ChatSelection
  onChooseResult: (result: SearchResult, words: string) => void
  onClose: () => void
  onLoadError: () => void
}

/** Where to move the focus when a chat was deleted: without a message field, to the chat that is shown now. */
function findNextChat(): HTMLElement | null {
  return (
    findReadyField() ??
    document.querySelector<HTMLElement>('[data-row] > a[tabindex="0"], [role="log"]') ??
    findFocusTarget()
  )
}

export function ChatDialogs({ dialog, channelId, selection, onChooseResult, onClose, onLoadError }: Props) {
  const chatToDelete = dialog?.kind === 'remove' ? dialog.chat : null
  const chatToPrint = dialog?.kind === 'print' ? dialog.chat : null
  const isSearching = dialog?.kind === 'search'
  const isHelpOpen = dialog?.kind === 'help'
  const hasRemoved = useRef(false)

  async function handleDelete(): Promise<void> {
    if (chatToDelete === null) return
    hasRemoved.current = await selection.remove(chatToDelete._id)
    onClose()
  }

  return (
    <>
      <DeleteChatDialog
        open={chatToDelete !== null}
        onLoadError={onLoadError}
        props={{
          chat: chatToDelete,
          isBusy: selection.isRemoving,
          onConfirm: () => void handleDelete(),
          onCancel: () => {
            hasRemoved.current = false
            onClose()
          },
          // The button that opened the dialog was removed with its chat.
          finalFocus: () => (hasRemoved.current ? findNextChat() : null),
        }}
      />
      {dialog?.kind === 'rename' && (
        <RenameChatDialog
          open
          onLoadError={onLoadError}
          props={{
            chat: dialog.chat,
            onRename: (title) => selection.rename({ chatId: dialog.chat._id, title }),
            onClose,
          }}
        />
      )}
      {dialog?.kind === 'share' && (
        <ShareDialog open onLoadError={onLoadError} props={{ channelId, chat: dialog.chat, onClose }} />
      )}
      <PrintDialog
        open={chatToPrint !== null}
        onLoadError={onLoadError}
        props={{ channelId, chat: chatToPrint, onClose }}
      />
      <SearchDialog
        open={isSearching}
        onLoadError={onLoadError}
        props={{ open: isSearching, channelId, onChoose: onChooseResult, onClose }}
      />
      <ShortcutsDialog open={isHelpOpen} onLoadError={onLoadError} props={{ open: isHelpOpen, onClose }} />
    </>
  )
}
