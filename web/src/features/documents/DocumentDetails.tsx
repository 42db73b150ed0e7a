import type { Document } from '@lyceum/contract/documents'
import { formatDateTime } from '#lib/date-time.ts'
import { formatFileSize } from '#lib/file-size.ts'
import { formatVersion, isProposed } from './version-labels.ts'

type Entry = readonly [label: string, value: string]

function listDecisionEntries(document: Document): Entry[] {
  const { status, approvedBy, approvedAt, rejectedBy, rejectedAt, rejectionReason } = document
  if (status === 'pending') return []
  const [verb, by, at] =
    status === 'approved' ? ['Approved', approvedBy, approvedAt] : ['Rejected', rejectedBy, rejectedAt]
  return [
    ...(by === null ? [] : [[`${verb} by`, by.name] as const]),
    ...(at === null ? [] : [[`${verb} on`, formatDateTime(at)] as const]),
    ...(rejectionReason ? [['Reason', rejectionReason] as const] : []),
  ]
}

function listEntries(document: Document): Entry[] {
  const { title, originalName, description, index } = document
  const versions = formatVersion(document)
  return [
    ['File name', originalName],
    ...(title === originalName ? [] : [['Title', title] as const]),
    ['Type', `${document.fileType.toUpperCase()} (${document.mimeType})`],
    ['Size', formatFileSize(document.fileSize)],
    ['Channel', document.channel.name],
    [isProposed(document) ? 'Proposed by' : 'Uploaded by', document.uploadedBy.name],
    [document.version.count > 1 ? 'First uploaded on' : 'Uploaded on', formatDateTime(document.createdAt)],
    ...listDecisionEntries(document),
    ...(versions === null ? [] : [['Version', versions] as const]),
    ...(index.pages === null ? [] : [['Pages', index.pages.toLocaleString()] as const]),
    ...(index.passages === null ? [] : [['Indexed passages', index.passages.toLocaleString()] as const]),
    ...(description === '' ? [] : [['Description', description] as const]),
  ]
}

/** All properties of a document. */
export function DocumentDetails({ document }: { document: Document }) {
  return (
    <dl className="grid gap-x-6 gap-y-3 rounded-card bg-surface p-4 sm:grid-cols-2 lg:grid-cols-3 dark:bg-page">
      {listEntries(document).map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-muted text-xs">{label}</dt>
          <dd dir="auto" className="wrap-anywhere mt-0.5 whitespace-pre-line text-start text-sm tabular-nums">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
