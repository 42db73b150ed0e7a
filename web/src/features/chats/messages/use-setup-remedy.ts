import type { SetupProblem } from '@lyceum/contract/channels'
import { useIsSystemAdmin, usePermissionCheck } from '#features/auth/use-can.ts'
import { assistantFieldPath } from '#lib/assistant-field-path.ts'

interface SetupRemedy {
  text: string
  link?: { label: string; to: string }
}

const memberText = 'This assistant cannot answer at the moment. An administrator has to set it up.'

/**
 * Returns a function that says why the assistant of a channel cannot answer. For users who can mend it, it links to where
 * that is done.
 */
export function useSetupRemedy(channelId: string): (problem: SetupProblem) => SetupRemedy {
  const can = usePermissionCheck()
  const isSystemAdmin = useIsSystemAdmin()
  const canEdit = can('canEditChannels')
  const canConfigure = can('canManageSettings')
  return (problem) => {
    switch (problem) {
      case 'no-model': {
        const text = 'No model is connected, so this assistant cannot answer.'
        const to = '/admin/settings?section=connections#model'
        if (isSystemAdmin) return { text, link: { label: 'Connect a model', to } }
        return {
          text: canEdit || canConfigure ? `${text} A system administrator has to connect one.` : memberText,
        }
      }
      case 'not-configured': {
        if (!canEdit && !canConfigure) return { text: memberText }
        const to = canConfigure ? '/admin/settings?section=assistants' : assistantFieldPath(channelId)
        return { text: 'This assistant is not configured.', link: { label: 'Set up the assistant', to } }
      }
      case 'gone':
        return canEdit
          ? {
              text: 'This assistant no longer exists.',
              link: { label: 'Choose another one', to: assistantFieldPath(channelId) },
            }
          : { text: memberText }
    }
  }
}
