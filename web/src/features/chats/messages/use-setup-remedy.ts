import type { SetupProblem } from '@lyceum/contract/channels'
import { useIsSystemAdmin, usePermissionCheck } from '#features/auth/use-can.ts'
import { assistantFieldPath, uploadPath } from '#lib/channel-paths.ts'

interface SetupRemedy {
  text: string
  links: { label: string; to: string }[]
}

const memberText = 'This assistant cannot answer at the moment. An administrator has to set it up.'
const noDocumentsText = 'This channel has no approved documents to answer from yet.'
const connectLink = { label: 'Connect a model', to: '/admin/settings?section=connections#model' }

/**
 * Returns a function that says why a channel cannot answer. For users who can mend it, it links to where that is done.
 */
export function useSetupRemedy(channelId: string): (problem: SetupProblem) => SetupRemedy {
  const can = usePermissionCheck()
  const isSystemAdmin = useIsSystemAdmin()
  const canEdit = can('canEditChannels')
  const canConfigure = can('canManageSettings')
  const documentLinks =
    can('canManageChannels') && can('canUploadDocuments')
      ? [{ label: 'Add documents', to: uploadPath(channelId) }]
      : []
  return (problem) => {
    switch (problem) {
      case 'no-model': {
        const text = 'No model is connected, so this assistant cannot answer.'
        if (isSystemAdmin) return { text, links: [connectLink] }
        return {
          text: canEdit || canConfigure ? `${text} A system administrator has to connect one.` : memberText,
          links: [],
        }
      }
      case 'not-configured': {
        if (!canEdit && !canConfigure) return { text: memberText, links: [] }
        const to = canConfigure ? '/admin/settings?section=assistants' : assistantFieldPath(channelId)
        return { text: 'This assistant is not configured.', links: [{ label: 'Set up the assistant', to }] }
      }
      case 'gone':
        return canEdit
          ? {
              text: 'This assistant no longer exists.',
              links: [{ label: 'Choose another one', to: assistantFieldPath(channelId) }],
            }
          : { text: memberText, links: [] }
      case 'no-documents':
        return { text: noDocumentsText, links: documentLinks }
      case 'no-documents-or-model':
        return isSystemAdmin
          ? {
              text: 'No model is connected, and this channel has no approved documents to answer from yet.',
              links: [...documentLinks, connectLink],
            }
          : { text: noDocumentsText, links: documentLinks }
    }
  }
}
