import type { ChatMessage } from '@lyceum/contract/chats'
import { use } from 'react'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { OwnChatContext } from '../attachments/own-chat.ts'

interface SetupRemedy {
  text: string
  linkLabel: string
  linkTo: string
}

/** For a user who can change the assistant of the channel: where to do it. Null for other users and other replies. */
export function useSetupRemedy({ setupProblem }: ChatMessage): SetupRemedy | null {
  const can = usePermissionCheck()
  const chat = use(OwnChatContext)
  if (setupProblem === undefined || chat === null) return null
  const canConfigure = setupProblem === 'not-configured' && can('canManageSettings')
  if (!canConfigure && !can('canEditChannels')) return null
  const linkTo = canConfigure
    ? '/admin/settings?section=assistants'
    : `/admin/channels?edit=${encodeURIComponent(chat.channelId)}`
  return setupProblem === 'gone'
    ? { text: 'This assistant no longer exists.', linkLabel: 'Choose another one', linkTo }
    : { text: 'This assistant is not configured.', linkLabel: 'Set up the assistant', linkTo }
}
