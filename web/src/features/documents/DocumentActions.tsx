import { type Document, getAllowedActions } from '@lyceum/contract/documents'
import { Check, Download, Eye, FileUp, RefreshCw, Trash2, X } from 'lucide-react'
import { useEffect } from 'react'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { IconButton } from '#ui/IconButton.tsx'
import type { Actions } from './use-document-actions.ts'

interface Props {
  document: Document
  actions: Actions
  /** In the review list, Approve and Reject stay visible after the decision. */
  isReview: boolean
  onPreview: () => void
  onReject: () => void
  onReplace: () => void
  onDelete: () => void
}

type RowProps = Pick<Props, 'document' | 'actions'>

/** Announces the end of a reindexing that was started from this row. */
function useReindexAnnouncement({ document, actions: { reindex } }: RowProps): void {
  const { isSuccess, reset } = reindex
  const { state } = document.index
  useEffect(() => {
    if (!isSuccess || (state !== 'ready' && state !== 'failed')) return
    if (state === 'ready') banner.success(texts.documents.reindexed)
    reset()
  }, [isSuccess, state, reset])
}

function Decision({ document, actions: { approve, reject }, onReject }: RowProps & Pick<Props, 'onReject'>) {
  const can = usePermissionCheck()
  const allowed = getAllowedActions(document.status, document.fileType)
  const isDeciding = approve.isPending || reject.isPending
  return (
    <>
      {can('canApproveDocuments') && (
        <Button
          size="small"
          aria-description={document.originalName}
          disabled={!allowed.approve || reject.isPending}
          busy={approve.isPending}
          onClick={() => !isDeciding && approve.mutate({ document })}
        >
          {!approve.isPending && <Check aria-hidden="true" className="size-4 text-success max-sm:hidden" />}
          Approve
        </Button>
      )}
      {can('canRejectDocuments') && (
        <Button
          size="small"
          aria-description={document.originalName}
          disabled={!allowed.reject || approve.isPending}
          busy={reject.isPending}
          onClick={() => !isDeciding && onReject()}
        >
          {!reject.isPending && <X aria-hidden="true" className="size-4 text-danger max-sm:hidden" />}
          Reject
        </Button>
      )}
    </>
  )
}

/** Starts reindexing. After a failed indexing it is the main action, so the button has a visible label. */
function Reindex({ document, actions: { reindex } }: RowProps) {
  function start(): void {
    reindex.mutate({ document })
  }
  const name = document.originalName
  if (document.index.state === 'failed') {
    return (
      <Button size="small" aria-description={name} busy={reindex.isPending} onClick={start}>
        {!reindex.isPending && <RefreshCw aria-hidden="true" className="size-4" />}
        Reindex
      </Button>
    )
  }
  return (
    <IconButton
      icon={RefreshCw}
      label="Reindex"
      aria-description={name}
      disabled={reindex.isPending}
      onClick={start}
    />
  )
}

/** The actions that the document's state and the user's permissions allow. */
export function DocumentActions({ document, actions, isReview, ...open }: Props) {
  const can = usePermissionCheck()
  const allowed = getAllowedActions(document.status, document.fileType)
  useReindexAnnouncement({ document, actions })
  const canReindex = allowed.reindex && can('canReindexDocuments')
  const needsIndex = canReindex && document.index.state === 'failed'
  const name = document.originalName
  return (
    <div className="flex flex-wrap items-center gap-1">
      {(isReview || allowed.approve) && (
        <Decision document={document} actions={actions} onReject={open.onReject} />
      )}
      {needsIndex && <Reindex document={document} actions={actions} />}
      {/* One group, so that on a phone the icons wrap together. */}
      <div className="flex gap-1">
        {allowed.preview && can('canPreviewDocuments') && (
          <IconButton icon={Eye} label="Preview" aria-description={name} onClick={open.onPreview} />
        )}
        {allowed.download && can('canDownloadDocuments') && (
          <IconButton
            icon={Download}
            label="Download"
            aria-description={name}
            disabled={actions.download.isPending}
            onClick={() => actions.download.mutate({ document })}
          />
        )}
        {canReindex && !needsIndex && <Reindex document={document} actions={actions} />}
        {can('canUploadDocuments') && (
          <IconButton icon={FileUp} label="Replace" aria-description={name} onClick={open.onReplace} />
        )}
        {allowed.delete && can('canDeleteDocuments') && (
          <IconButton
            icon={Trash2}
            label="Delete"
            aria-description={name}
            tone="danger"
            tooltipAlign="end"
            onClick={open.onDelete}
          />
        )}
      </div>
    </div>
  )
}
