import { documentsApi } from '@lyceum/contract/documents'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { useCan } from '#features/auth/use-can.ts'
import { fileSize } from '#lib/file-size.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { NoticeBanner } from '#ui/NoticeBanner.tsx'
import { notice } from '#ui/notice.ts'
import { messages } from '../../messages.ts'

interface Props {
  open: boolean
  onClose: () => void
}

/** Tidies up what deleted documents and broken-off uploads may have left behind, and says how much that was. */
export const MaintenanceDialog = ({ open, onClose }: Props) => {
  const mayCleanUp = useCan('canManageDocuments')
  const cleanup = useMutation({
    mutationFn: () => call(documentsApi.cleanupOrphaned, {}),
    onSuccess: () => notice.success(messages.documents.cleanup.done),
    onError: (error) => notice.error(messageOf(error, messages.documents.cleanup.failed)),
  })
  const figures =
    cleanup.data === undefined
      ? []
      : [
          ['Passages removed', cleanup.data.passages.toLocaleString()],
          ['Files removed', cleanup.data.files.toLocaleString()],
          ['Space freed', fileSize(cleanup.data.bytes)],
        ]
  return (
    <Dialog open={open} onClose={onClose} title="Maintenance">
      <NoticeBanner className="top-0" />
      <h3 className="font-medium text-sm">Orphaned documents</h3>
      <p className="mt-1 text-muted text-sm">
        Removes indexed passages and stored files that belong to no document any more. Documents that are
        listed are never touched.
      </p>
      {!mayCleanUp && (
        <p className="mt-3 text-sm">This needs the right to manage documents, which you do not have.</p>
      )}
      <Button
        className="mt-4"
        disabled={!mayCleanUp}
        busy={cleanup.isPending}
        onClick={() => cleanup.mutate()}
      >
        Cleanup Orphaned
      </Button>
      <div aria-live="polite">
        {figures.length > 0 && (
          <dl className="mt-5 grid grid-cols-3 gap-4 rounded-card bg-surface-2 p-4">
            {figures.map(([label, value]) => (
              <div key={label}>
                <dt className="text-muted text-xs">{label}</dt>
                <dd className="mt-0.5 font-semibold text-base tabular-nums">{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </Dialog>
  )
}
