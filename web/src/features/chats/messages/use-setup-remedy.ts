import type { SetupProblem } from '@lyceum/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { useIsSystemAdmin, usePermissionCheck } from '#features/auth/use-can.ts'
import { channelQuery } from '#features/channels/queries.ts'
import { assistantFieldPath, reviewPath, uploadPath } from '#lib/channel-paths.ts'
import { failedDocumentsPathOf } from '#lib/document-paths.ts'
import { modelSettingsPathFrom } from '#lib/settings-paths.ts'
import { useIsEmbedded } from '../embedded.ts'

export interface SetupRemedy {
  text: string
  links: { label: string; to: string }[]
}

const memberText = 'This assistant cannot answer at the moment. An administrator has to set it up.'
const documentsText = 'An administrator has to add or approve documents before this assistant can answer.'

/**
 * Returns a function that says why a channel cannot answer. For users who can mend it, it links to where that is done.
 */
export function useSetupRemedy(channelId: string): (problem: SetupProblem) => SetupRemedy {
  const can = usePermissionCheck()
  const isSystemAdmin = useIsSystemAdmin()
  const canEdit = can('canEditChannels')
  const canConfigure = can('canManageSettings')
  const isEmbedded = useIsEmbedded()
  const { data: channel } = useQuery({ ...channelQuery(channelId), meta: { quiet: true } })
  const connectLink = { label: 'Connect a model', to: modelSettingsPathFrom(channelId) }
  const { documentCount = 0, pendingDocumentCount = 0, failedDocumentCount = 0 } = channel ?? {}
  const canReview = pendingDocumentCount > 0 && can('canManageDocuments')
  const canUpload = can('canManageChannels') && can('canUploadDocuments')
  const documentLinks = [
    ...(failedDocumentCount > 0 && can('canManageDocuments')
      ? [{ label: 'Show failed documents', to: failedDocumentsPathOf(channelId) }]
      : []),
    ...(canReview ? [{ label: 'Review documents', to: reviewPath(channelId) }] : []),
    ...(canUpload ? [{ label: 'Add documents', to: uploadPath(channelId) }] : []),
  ]
  function describeLack(): string {
    if (failedDocumentCount > 0) return 'Approved documents of this channel could not be indexed.'
    return documentCount > 0
      ? 'None of this channel’s documents is approved and ready yet.'
      : 'This assistant needs documents to answer from.'
  }
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
              text: 'The assistant of this channel does not exist.',
              links: [{ label: 'Edit the channel', to: assistantFieldPath(channelId) }],
            }
          : { text: memberText, links: [] }
      case 'no-documents':
      case 'no-documents-or-model': {
        const mayConnect = problem === 'no-documents-or-model' && isSystemAdmin
        const links = [...documentLinks, ...(mayConnect ? [connectLink] : [])]
        if (links.length === 0) {
          const attachText =
            channel?.allowAttachments === true && !isEmbedded
              ? ' You can attach a file and ask about it.'
              : ''
          const text = problem === 'no-documents' ? documentsText : memberText
          return { text: `${text}${attachText}`, links }
        }
        return { text: mayConnect ? `No model is connected. ${describeLack()}` : describeLack(), links }
      }
    }
  }
}
