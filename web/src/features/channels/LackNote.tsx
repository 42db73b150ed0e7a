import type { Channel } from '@lyceum/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { assistantStatusQuery } from '#features/assistants/queries.ts'
import { useIsSystemAdmin, usePermissionCheck } from '#features/auth/use-can.ts'
import { reviewPath } from '#lib/channel-paths.ts'
import { failedDocumentsPathOf } from '#lib/document-paths.ts'
import { modelSettingsPath } from '#lib/settings-paths.ts'
import { TextLink } from '#ui/TextLink.tsx'
import { textLinkStyle } from '#ui/text-link-style.ts'
import { findCardControl } from './card-focus.ts'

/** What it needs to answer: documents if it is strict, or else documents or a model. */
function useLack(channel: Channel): 'documents' | 'documents-or-model' | null {
  const { useAssistant, answerableDocumentCount, strictDocumentsOnly } = channel
  const { data: status } = useQuery(assistantStatusQuery())
  if (useAssistant === true || answerableDocumentCount !== 0) return null
  if (strictDocumentsOnly === true) return 'documents'
  return status?.mode === 'extractive' ? 'documents-or-model' : null
}

function describeLack({ documentCount, failedDocumentCount = 0 }: Channel): string {
  if (failedDocumentCount > 0) return 'Approved documents of this channel could not be indexed.'
  return documentCount === 0
    ? 'This channel has no documents to answer from yet.'
    : 'None of this channel’s documents is approved and ready yet.'
}

/** A warning in the card of a channel. */
export function CardWarning({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 text-sm text-warning">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">{children}</span>
    </p>
  )
}

interface Props {
  channel: Channel
  onUpload: () => void
}

/** Says on the card of a channel what it lacks to answer, and leads to where that can be mended. */
export function LackNote({ channel, onUpload }: Props) {
  const can = usePermissionCheck()
  const lack = useLack(channel)
  const mayConnect = useIsSystemAdmin() && lack === 'documents-or-model'
  const { pendingDocumentCount = 0, failedDocumentCount = 0 } = channel
  if (lack === null) return null
  return (
    <CardWarning>
      {mayConnect && 'No model is connected. '}
      {`${describeLack(channel)} `}
      {failedDocumentCount > 0 && can('canManageDocuments') ? (
        <TextLink to={failedDocumentsPathOf(channel._id)} aria-description={channel.name}>
          Show failed documents
        </TextLink>
      ) : pendingDocumentCount > 0 && can('canManageDocuments') ? (
        <TextLink to={reviewPath(channel._id)} aria-description={channel.name}>
          Review documents
        </TextLink>
      ) : (
        channel.isArchived !== true &&
        can('canUploadDocuments') && (
          <button
            type="button"
            onClick={({ currentTarget }) => {
              // The dialog returns the focus there, because this button disappears with the first upload.
              findCardControl(channel, currentTarget)?.focus()
              onUpload()
            }}
            aria-description={channel.name}
            className={textLinkStyle}
          >
            Add documents
          </button>
        )
      )}
      {mayConnect && (
        <>
          {' '}
          <TextLink to={modelSettingsPath} aria-description={channel.name} className="ms-2 whitespace-nowrap">
            Connect a model
          </TextLink>
        </>
      )}
    </CardWarning>
  )
}
