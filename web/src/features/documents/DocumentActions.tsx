import { type Document, getAllowedActions, type IndexState } from '@lyceum/contract/documents'
import { Check, Download, Ellipsis, Eye, FileUp, RefreshCw, Trash2, X } from 'lucide-react'
import { useEffect } from 'react'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { phoneQuery, useMediaQuery } from '#lib/use-media-query.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { Menu } from '#ui/Menu.tsx'
import type { MenuItem } from '#ui/OpenMenu.tsx'
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

/** Announces the end of a reindexing that was started here. */
export function useReindexAnnouncement(
  { isSuccess, reset }: Pick<Actions['reindex'], 'isSuccess' | 'reset'>,
  state: IndexState | undefined,
): void {
  useEffect(() => {
    if (!isSuccess || (state !== 'ready' && state !== 'failed')) return
    if (state === 'ready') banner.success(texts.documents.reindexed)
    else banner.error(texts.documents.reindex.failed)
    reset()
  }, [isSuccess, state, reset])
}

/** The button that approves the first document still to be decided about. */
export function findFirstDecision(container: ParentNode | null): HTMLElement | null {
  return container?.querySelector<HTMLElement>('[data-approve]:not([aria-disabled="true"])') ?? null
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
          data-approve
          // Stays focused after the decision.
          aria-disabled={!allowed.approve || reject.isPending}
          busy={approve.isPending}
          onClick={() => allowed.approve && !isDeciding && approve.mutate({ document })}
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

/** Whether indexing failed, and would fail again with the same file. */
function needsOtherFile({ index, status, fileType }: Document): boolean {
  return index.needsOtherFile === true && getAllowedActions(status, fileType).reindex
}

/** Starts reindexing after it failed, when it is the main action. */
function Reindex({ document, actions: { reindex } }: RowProps) {
  return (
    <Button
      size="small"
      aria-description={document.originalName}
      busy={reindex.isPending}
      onClick={() => reindex.mutate({ document })}
    >
      {!reindex.isPending && <RefreshCw aria-hidden="true" className="size-4" />}
      Reindex
    </Button>
  )
}

interface FurtherAction extends MenuItem {
  isBusy?: boolean
}

type FurtherProps = RowProps & Pick<Props, 'onReplace' | 'onDelete'>

/** The items of the menu. */
function useFurtherActions({ document, actions, onReplace, onDelete }: FurtherProps): FurtherAction[] {
  const can = usePermissionCheck()
  const allowed = getAllowedActions(document.status, document.fileType)
  const { download, reindex } = actions
  const isReplaceShown = needsOtherFile(document)
  const isReindexShown = document.index.state === 'failed' && !isReplaceShown
  const canReindex = allowed.reindex && !isReindexShown && can('canReindexDocuments')
  const offered: [isOffered: boolean, action: FurtherAction][] = [
    [
      allowed.download && can('canDownloadDocuments'),
      {
        icon: Download,
        label: 'Download',
        isBusy: download.isPending,
        onChoose: () => download.mutate({ document }),
      },
    ],
    [
      canReindex,
      {
        icon: RefreshCw,
        label: 'Reindex',
        isBusy: reindex.isPending,
        onChoose: () => reindex.mutate({ document }),
      },
    ],
    [!isReplaceShown && can('canUploadDocuments'), { icon: FileUp, label: 'Replace', onChoose: onReplace }],
    [
      allowed.delete && can('canDeleteDocuments'),
      { icon: Trash2, label: 'Delete', tone: 'danger', startsGroup: true, onChoose: onDelete },
    ],
  ]
  return offered.flatMap(([isOffered, action]) => (isOffered ? action : []))
}

/**
 * The actions that the document's state and the user's permissions allow. Decisions and the preview are buttons, the
 * others are in a menu. On phones, the menu is beside the name of the file.
 */
export function DocumentActions(props: Props) {
  const { document, actions, isReview, onPreview, onReject, onReplace } = props
  const can = usePermissionCheck()
  const isPhone = useMediaQuery(phoneQuery)
  const allowed = getAllowedActions(document.status, document.fileType)
  useReindexAnnouncement(actions.reindex, document.index.state)
  const needsFile = needsOtherFile(document)
  const needsIndex = allowed.reindex && document.index.state === 'failed' && !needsFile
  const canPreview = allowed.preview && can('canPreviewDocuments')
  const name = document.originalName
  const items = useFurtherActions(props)
  const menu = items.length > 0 && (
    <Menu
      icon={Ellipsis}
      label={`More actions for ${name}`}
      tip="More"
      items={items.map(({ isBusy = false, onChoose, ...item }) => ({
        ...item,
        onChoose: () => !isBusy && onChoose(),
      }))}
      className={isPhone ? 'col-start-2 row-start-1 -me-2 -mt-2' : ''}
    />
  )
  return (
    <>
      {isPhone && menu}
      <div
        // On phones, the buttons are below the text of the row.
        className="flex flex-wrap items-center gap-2 empty:hidden max-sm:col-span-2"
      >
        {(isReview || allowed.approve) && (
          <Decision document={document} actions={actions} onReject={onReject} />
        )}
        {needsIndex && can('canReindexDocuments') && <Reindex document={document} actions={actions} />}
        {needsFile && can('canUploadDocuments') && (
          <Button size="small" aria-description={name} onClick={onReplace}>
            <FileUp aria-hidden="true" className="size-4" />
            Replace
          </Button>
        )}
        {canPreview && (
          <Button size="small" aria-description={name} onClick={onPreview}>
            <Eye aria-hidden="true" className="size-4 text-muted max-sm:hidden" />
            Preview
          </Button>
        )}
        {!isPhone && menu}
      </div>
    </>
  )
}
