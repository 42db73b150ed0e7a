import { actionsFor, type Document } from '@lyceum/contract/documents'
import { Check, Download, Eye, FileUp, RefreshCw, Trash2, X } from 'lucide-react'
import { useEffect } from 'react'
import { useRights } from '#features/auth/use-can.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { notice } from '#ui/notice.ts'
import type { Deeds } from './use-deeds.ts'

interface Props {
  document: Document
  deeds: Deeds
  /** In a list under review, the decision's buttons keep their place after it. */
  isReview: boolean
  onPreview: () => void
  onReplace: () => void
  onDelete: () => void
}

type RowProps = Pick<Props, 'document' | 'deeds'>

/** Says when the index that was asked for here is ready. */
function useReindexed({ document, deeds: { reindex } }: RowProps): void {
  const { isSuccess, reset } = reindex
  const { state } = document.index
  useEffect(() => {
    if (!isSuccess || (state !== 'ready' && state !== 'failed')) return
    if (state === 'ready') notice.success(texts.documents.reindexed)
    reset()
  }, [isSuccess, state, reset])
}

function Decision({ document, deeds: { approve, reject } }: RowProps) {
  const can = useRights()
  const allowed = actionsFor(document.status, document.fileType)
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
          onClick={() => !isDeciding && reject.mutate({ document })}
        >
          {!reject.isPending && <X aria-hidden="true" className="size-4 text-danger max-sm:hidden" />}
          Reject
        </Button>
      )}
    </>
  )
}

/** Asks for the index once more; where it failed that is what there is to do, and says so in a word. */
function Reindex({ document, deeds: { reindex } }: RowProps) {
  function ask(): void {
    reindex.mutate({ document })
  }
  const name = document.originalName
  if (document.index.state === 'failed') {
    return (
      <Button size="small" aria-description={name} busy={reindex.isPending} onClick={ask}>
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
      onClick={ask}
    />
  )
}

/** What may be done with a document in its state by who is signed in. */
export function DocumentActions({ document, deeds, isReview, onPreview, onReplace, onDelete }: Props) {
  const can = useRights()
  const allowed = actionsFor(document.status, document.fileType)
  useReindexed({ document, deeds })
  const mayReindex = allowed.reindex && can('canReindexDocuments')
  const needsIndex = mayReindex && document.index.state === 'failed'
  const name = document.originalName
  return (
    <div className="flex flex-wrap items-center gap-1">
      {(isReview || allowed.approve) && <Decision document={document} deeds={deeds} />}
      {needsIndex && <Reindex document={document} deeds={deeds} />}
      {/* Together, so that on a phone they take the next line together. */}
      <div className="flex gap-1">
        {allowed.preview && can('canPreviewDocuments') && (
          <IconButton icon={Eye} label="Preview" aria-description={name} onClick={onPreview} />
        )}
        {allowed.download && can('canDownloadDocuments') && (
          <IconButton
            icon={Download}
            label="Download"
            aria-description={name}
            disabled={deeds.download.isPending}
            onClick={() => deeds.download.mutate({ document })}
          />
        )}
        {mayReindex && !needsIndex && <Reindex document={document} deeds={deeds} />}
        {can('canUploadDocuments') && (
          <IconButton icon={FileUp} label="Replace" aria-description={name} onClick={onReplace} />
        )}
        {allowed.delete && can('canDeleteDocuments') && (
          <IconButton
            icon={Trash2}
            label="Delete"
            aria-description={name}
            tone="danger"
            labelSide="end"
            onClick={onDelete}
          />
        )}
      </div>
    </div>
  )
}
