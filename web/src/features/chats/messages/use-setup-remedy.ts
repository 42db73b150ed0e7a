import type { ChatMessage } from '@lyceum/contract/chats'
import { use } from 'react'
import { useIsSystemAdmin, usePermissionCheck } from '#features/auth/use-can.ts'
import { OwnChatContext } from '../attachments/own-chat.ts'

interface SetupRemedy {
  text: string
  link?: { linkLabel: string; linkTo: string }
}

type SetupProblem = NonNullable<ChatMessage['setupProblem']>

/**
 * Returns a function that says why the assistant of the channel cannot answer and links to where that is mended. It
 * returns null for users who cannot mend it and for other replies.
 */
export function useSetupRemedy(): (message: ChatMessage | undefined) => SetupRemedy | null {
  const can = usePermissionCheck()
  const isSystemAdmin = useIsSystemAdmin()
  const chat = use(OwnChatContext)
  if (chat === null) return () => null
  const canEdit = can('canEditChannels')
  const canConfigure = can('canManageSettings')
  const fieldLink = `/admin/channels?edit=${encodeURIComponent(chat.channelId)}&field=assistant`
  function findRemedy(problem: SetupProblem): SetupRemedy | null {
    switch (problem) {
      case 'no-model': {
        const text = 'No model is connected, so this assistant cannot answer.'
        const linkTo = '/admin/settings?section=connections#model'
        if (isSystemAdmin) return { text, link: { linkLabel: 'Connect a model', linkTo } }
        return canEdit || canConfigure ? { text: `${text} A system administrator has to connect one.` } : null
      }
      case 'not-configured': {
        if (!canEdit && !canConfigure) return null
        const linkTo = canConfigure ? '/admin/settings?section=assistants' : fieldLink
        return {
          text: 'This assistant is not configured.',
          link: { linkLabel: 'Set up the assistant', linkTo },
        }
      }
      case 'gone':
        return canEdit
          ? {
              text: 'This assistant no longer exists.',
              link: { linkLabel: 'Choose another one', linkTo: fieldLink },
            }
          : null
    }
  }
  return (message) => (message?.setupProblem === undefined ? null : findRemedy(message.setupProblem))
}
