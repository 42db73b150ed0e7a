import type { ChatMessage } from '@lyceum/contract/chats'
import { errors } from '@lyceum/contract/errors'
import { use } from 'react'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { OwnChatContext } from '../attachments/own-chat.ts'

interface SetupRemedy {
  text: string
  linkLabel: string
  linkTo: string
}

/** For a user who can change the assistant of the channel: where to do it. Null for other users and other replies. */
export function useSetupRemedy({ needsAdministrator, error }: ChatMessage): SetupRemedy | null {
  const can = usePermissionCheck()
  const chat = use(OwnChatContext)
  if (needsAdministrator !== true || chat === null) return null
  const formPath = can('canEditChannels')
    ? `/admin/channels?edit=${encodeURIComponent(chat.channelId)}`
    : null
  if (error === errors['assistant.gone'].message)
    return formPath === null
      ? null
      : {
          text: 'This assistant no longer exists.',
          linkLabel: 'Choose another one',
          linkTo: formPath,
        }
  const linkTo = can('canManageSettings') ? '/admin/settings?section=assistants' : formPath
  return linkTo === null
    ? null
    : { text: 'This assistant is not configured.', linkLabel: 'Set up the assistant', linkTo }
}
