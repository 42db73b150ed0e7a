import { X } from 'lucide-react'
import { formatFileSize } from '#lib/file-size.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { FileChip } from './FileChip.tsx'
import type { Files, PendingFile } from './use-files.ts'

function describeProgress({ progress, error }: PendingFile): string {
  if (error !== null) return error
  return progress < 1 ? `Uploading ${Math.floor(progress * 100)}%` : 'Reading…'
}

/** Above the message field: the files of the next message, and those that are being uploaded. */
export function DraftFiles({ files }: { files: Files }) {
  const { ready, pending, cancel, remove } = files
  const newest = ready.at(-1)
  return (
    <>
      {ready.length + pending.length > 0 && (
        <ul
          aria-label="Files for this message"
          className="mb-2 flex max-h-40 flex-wrap gap-2 overflow-y-auto"
        >
          {ready.map((file) => (
            <li key={file._id} className="max-w-full sm:max-w-72">
              <FileChip name={file.name} detail={formatFileSize(file.fileSize)}>
                <IconButton
                  size="small"
                  icon={X}
                  label={`Remove ${file.name}`}
                  tip="Remove"
                  onClick={() => void remove(file)}
                />
              </FileChip>
            </li>
          ))}
          {pending.map((file) => (
            <li key={file.key} className="max-w-full sm:max-w-72">
              <FileChip name={file.name} detail={describeProgress(file)} isFailed={file.error !== null}>
                <IconButton
                  size="small"
                  icon={X}
                  label={file.error === null ? `Cancel ${file.name}` : `Remove ${file.name}`}
                  tip={file.error === null ? 'Cancel' : 'Remove'}
                  onClick={() => cancel(file.key)}
                />
              </FileChip>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="sr-only">
        {pending.length === 0 && newest !== undefined && `${newest.name} is attached`}
        {pending.some(({ error }) => error === null) && 'Attaching files'}
      </p>
      {pending.some(({ error }) => error !== null) && (
        <p role="alert" className="sr-only">
          {pending.map(({ name, error }) => (error === null ? '' : `${name}: ${error}`)).join(' ')}
        </p>
      )}
    </>
  )
}
