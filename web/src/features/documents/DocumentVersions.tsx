import {
  type Document,
  type DocumentVersion,
  isIndexing,
  type VersionState,
} from '@lyceum/contract/documents'
import { useQuery } from '@tanstack/react-query'
import {
  Check,
  CircleCheck,
  Download,
  Eye,
  Hourglass,
  type LucideIcon,
  RefreshCw,
  Replace,
  X,
} from 'lucide-react'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { formatDateTime } from '#lib/date-time.ts'
import { formatFileSize } from '#lib/file-size.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Status, type Tone } from '#ui/Status.tsx'
import { useReindexAnnouncement } from './DocumentActions.tsx'
import { IndexNotes, IndexStatus } from './IndexStatus.tsx'
import { documentVersionsQuery } from './queries.ts'
import { RejectionReason } from './RejectionReason.tsx'
import { useReindex } from './use-document-actions.ts'
import { versionStateLabels } from './version-labels.ts'

const stateStyles: Record<VersionState, { tone: Tone; icon: LucideIcon }> = {
  pending: { tone: 'warning', icon: Hourglass },
  approved: { tone: 'success', icon: Check },
  answering: { tone: 'success', icon: CircleCheck },
  superseded: { tone: 'neutral', icon: Replace },
  rejected: { tone: 'danger', icon: X },
}

function describeVersion(version: DocumentVersion): string {
  const { fileType, fileSize: bytes, uploadedBy, createdAt, state, decidedBy, decidedAt } = version
  const parts = [
    fileType.toUpperCase(),
    formatFileSize(bytes),
    `${uploadedBy.name}, ${formatDateTime(createdAt)}`,
  ]
  if (decidedBy !== null) {
    const at = decidedAt === null ? '' : `, ${formatDateTime(decidedAt)}`
    parts.push(`${state === 'rejected' ? 'rejected' : 'approved'} by ${decidedBy.name}${at}`)
  }
  return parts.join(' · ')
}

interface ActionsProps {
  version: DocumentVersion
  /** Rebuilds the index of this version. */
  onReindex: () => void
  onPreview: (version: DocumentVersion) => void
  onDownload: (version: DocumentVersion) => void
}

function Actions({ version, onReindex, onPreview, onDownload }: ActionsProps) {
  const can = usePermissionCheck()
  const description = `Version ${version.number}, ${version.originalName}`
  if (!version.isKept) return <p className="shrink-0 text-muted text-xs">No longer stored</p>
  const { index } = version
  const isBusy = index !== undefined && isIndexing(index.state)
  return (
    <div className="flex shrink-0">
      {index && index.needsOtherFile !== true && can('canReindexDocuments') && (
        <IconButton
          icon={RefreshCw}
          label="Reindex version"
          aria-description={description}
          // Stays focused meanwhile.
          aria-disabled={isBusy}
          onClick={() => !isBusy && onReindex()}
        />
      )}
      {can('canPreviewDocuments') && (
        <IconButton
          icon={Eye}
          label="Preview version"
          aria-description={description}
          onClick={() => onPreview(version)}
        />
      )}
      {can('canDownloadDocuments') && (
        <IconButton
          icon={Download}
          label="Download version"
          aria-description={description}
          tooltipAlign="end"
          onClick={() => onDownload(version)}
        />
      )}
    </div>
  )
}

/** The index of an approved version that the row of the document does not show, as it shows a newer version. */
function VersionIndex({ version: { index, state } }: { version: DocumentVersion }) {
  if (index === undefined) return null
  return <IndexNotes index={{ ...index, answers: state === 'answering' }} />
}

interface Props extends Omit<ActionsProps, 'version' | 'onReindex'> {
  document: Document
  isQuiet: boolean
}

/** All versions of a document, newest first. Renders nothing when there is only one. */
export function DocumentVersions({ document, isQuiet, ...actions }: Props) {
  const reindex = useReindex(isQuiet)
  const { data: versions } = useQuery({
    ...documentVersionsQuery(document),
    enabled: document.version.count > 1,
    meta: { quiet: true },
  })
  useReindexAnnouncement(reindex, versions?.find(({ index }) => index !== undefined)?.index?.state)
  if (document.version.count === 1 || versions === undefined) return null
  return (
    <section className="mt-3">
      <h3 className="mb-1 px-1 font-medium text-sm">Versions</h3>
      <ul aria-label={`Versions of ${document.originalName}`} className="divide-y divide-hairline">
        {versions.map((version) => (
          <li
            key={version.number}
            className="flex items-start gap-3 px-1 py-2.5 max-sm:flex-wrap max-sm:gap-y-1"
          >
            <div className="flex min-w-0 flex-1 flex-col gap-1 max-sm:basis-full">
              <div className="flex flex-wrap items-center gap-2">
                <span className="font-medium text-sm tabular-nums">Version {version.number}</span>
                <Status {...stateStyles[version.state]}>{versionStateLabels[version.state]}</Status>
                {version.index && version.index.state !== 'ready' && <IndexStatus index={version.index} />}
              </div>
              <p dir="auto" className="wrap-anywhere line-clamp-3 text-start text-sm">
                {version.originalName}
              </p>
              <p dir="auto" className="wrap-anywhere text-start text-muted text-xs tabular-nums">
                {describeVersion(version)}
              </p>
              <RejectionReason reason={version.rejectionReason} />
              <VersionIndex version={version} />
            </div>
            <Actions
              version={version}
              onReindex={() => !reindex.isPending && reindex.mutate({ document })}
              {...actions}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
