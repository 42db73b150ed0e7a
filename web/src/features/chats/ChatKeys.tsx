import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { copyText } from '#lib/copy-text.ts'
import { whenIdle } from '#lib/when-idle.ts'
import { toast } from '#ui/toast.ts'
import { messages } from '../../messages/member.ts'
import { isBusy } from './activity.ts'
import { type ChatDialog, prepareDialogs } from './ChatDialogs.tsx'
import { messageFieldId } from './MessageInput.tsx'
import { threadKey } from './queries.ts'
import { useShortcuts } from './shortcuts/use-shortcuts.ts'
import { useTurns } from './TurnsProvider.tsx'
import type { Thread } from './thread.ts'
import type { ChatSelection } from './use-chat-selection.ts'

/** The messages come first. */
const prepareWithinMs = 1000

const copyLastReply = async (thread: Thread | undefined): Promise<void> => {
  const reply = thread?.messages.findLast(({ role, content }) => role === 'assistant' && content !== '')
  const { done, failed } = messages.chat.copyReply
  if (reply === undefined) toast.info(messages.chat.noReplyToCopy)
  else if (await copyText(reply.content)) toast.success(done)
  else toast.error(failed)
}

interface Given {
  channelId: string
  selection: ChatSelection
  onShow: (dialog: ChatDialog) => void
  onToggleSidebar: () => void
}

/** What the keys of the sheet do on the channel screen. */
export const ChatKeys = ({ channelId, selection, onShow, onToggleSidebar }: Given) => {
  const client = useQueryClient()
  const turns = useTurns()
  useEffect(() => whenIdle(prepareDialogs, prepareWithinMs), [])
  const { chats, currentId } = selection
  const current = chats?.find(({ _id }) => _id === currentId)
  const mayStop = (): boolean => currentId !== null && isBusy(turns.activities.read(currentId))

  useShortcuts({
    search: () => onShow({ kind: 'search' }),
    help: () => onShow({ kind: 'help' }),
    create: selection.isCreating ? null : selection.create,
    write: () => document.getElementById(messageFieldId)?.focus(),
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
      if (currentId !== null && mayStop()) void turns.stop(currentId)
    },
  })
  return null
}
