import { documentsApi } from '@lyceum/contract/documents'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { useCan } from '#features/auth/use-can.ts'
import { formatFileSize } from '#lib/file-size.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { storageQuery } from '../queries.ts'
import { DiskUsage } from './DiskUsage.tsx'

interface Props {
  open: boolean
  onClose: () => void
}

function useCleanup() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(documentsApi.cleanupOrphaned, {}),
    onSuccess: () => {
      banner.success(texts.documents.cleanup.done)
      void client.invalidateQueries({ queryKey: storageQuery().queryKey })
    },
    onError: (error) => banner.error(messageOf(error, texts.documents.cleanup.failed)),
  })
}

/** Removes the data that deleted documents and interrupted uploads left behind, and shows how much it was. */
function Orphans({ isAllowed }: { isAllowed: boolean }) {
  const cleanup = useCleanup()
  const figures =
    cleanup.data === undefined
      ? []
      : [
          ['Passages removed', cleanup.data.passages.toLocaleString()],
          ['Files removed', cleanup.data.files.toLocaleString()],
          ['Space freed', formatFileSize(cleanup.data.bytes)],
        ]
  return (
    <>
      <p className="mt-1 text-muted text-sm">
        Removes index entries and files that no longer belong to a document. Listed documents are not
        affected.
      </p>
      <Button
        className="mt-4"
        disabled={!isAllowed}
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
    </>
  )
}

export function MaintenanceDialog({ open, onClose }: Props) {
  const isAllowed = useCan('canManageDocuments')
  const id = useId()
  return (
    <Dialog open={open} onClose={onClose} title="Maintenance">
      {!isAllowed && <p className="mb-4 text-sm">You need permission to manage documents.</p>}
      <section aria-labelledby={`${id}-orphans`}>
        <h3 id={`${id}-orphans`} className="font-medium text-sm">
          Orphaned documents
        </h3>
        <Orphans isAllowed={isAllowed} />
      </section>
      {isAllowed && (
        <section aria-labelledby={`${id}-disk`} className="mt-6 border-hairline border-t pt-5">
          <h3 id={`${id}-disk`} className="mb-1 font-medium text-sm">
            Disk usage
          </h3>
          <DiskUsage />
        </section>
      )}
    </Dialog>
  )
}
