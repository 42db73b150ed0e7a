import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { copyText } from '#lib/copy-text.ts'
import { whenInUse } from '#lib/when-in-use.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import { type ChatDialog, preloadDialogs } from '../ChatDialogs.tsx'
import { messageFieldId } from '../composer/MessageInput.tsx'
import { threadKey } from '../queries.ts'
import type { ChatSelection } from '../sidebar/use-chat-selection.ts'
import type { Thread } from '../thread.ts'
import { isBusy } from '../turns/activity.ts'
import { useTurns } from '../turns/TurnsProvider.tsx'
import { findShortcutAction, type ShortcutAction } from './shortcuts.ts'
import { singleKeys } from './single-keys.ts'

const textFields = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])'
/** While one of these is open, shortcuts are off. */
const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]'

/** Null for actions that are not possible now; the browser then handles the key. */
type Actions = Record<ShortcutAction, (() => void) | null>

function useShortcuts(actions: Actions, isDialogOpen: boolean): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return
    if (isDialogOpen || document.querySelector(overlays) !== null) return
    const isTyping = event.target instanceof Element && event.target.closest(textFields) !== null
    const action = findShortcutAction(event, { isTyping, areSingleKeysOn: singleKeys.isOn() })
    const act = action === null ? null : actions[action]
    if (act === null) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    function listen(event: KeyboardEvent): void {
      handle(event)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Once the page is in use, dialogs load when the browser is idle, or after this time at the latest. */
const preloadWithinMs = 1000

async function copyLastReply(thread: Thread | undefined): Promise<void> {
  const reply = thread?.messages.findLast(({ role, content }) => role === 'assistant' && content !== '')
  const { done, failed } = texts.chat.copyReply
  if (reply === undefined) toast.info(texts.chat.noReplyToCopy)
  else if (await copyText(reply.content)) toast.success(done)
  else toast.error(failed)
}

interface Props {
  channelId: string
  selection: ChatSelection
  /** A dialog is open, or is loading and will receive the keys pressed after the shortcut. */
  isDialogOpen: boolean
  onShow: (dialog: ChatDialog) => void
  onToggleSidebar: () => void
}

/** Handles the keyboard shortcuts of the channel screen. */
export function ChatShortcuts({ channelId, selection, isDialogOpen, onShow, onToggleSidebar }: Props) {
  const client = useQueryClient()
  const turns = useTurns()
  useEffect(() => whenInUse(preloadDialogs, preloadWithinMs), [])
  const { chats, currentId } = selection
  const current = chats?.find(({ _id }) => _id === currentId)
  function canStop(): boolean {
    return currentId !== null && isBusy(turns.activities.read(currentId))
  }

  useShortcuts(
    {
      search: () => onShow({ kind: 'search' }),
      help: () => onShow({ kind: 'help' }),
      create: selection.isCreating ? null : selection.create,
      focusField: () => document.getElementById(messageFieldId)?.focus(),
      sidebar: onToggleSidebar,
      previous: () => selection.step(-1),
      next: () => selection.step(1),
      copy:
        currentId === null
          ? null
          : () => void copyLastReply(client.getQueryData<Thread>(threadKey(channelId, currentId))),
      rename: current === undefined ? null : () => onShow({ kind: 'rename', chat: current }),
      remove: current === undefined ? null : () => onShow({ kind: 'remove', chat: current }),
      stop: () => {
        if (currentId !== null && canStop()) void turns.stop(currentId)
      },
    },
    isDialogOpen,
  )
  return null
}
