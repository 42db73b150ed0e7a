import { formatCount } from '#lib/format-count.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { describeDone } from './bulk-labels.ts'
import type { BulkOutcome } from './use-bulk-action.ts'

interface Props {
  outcome: BulkOutcome
  onClose: () => void
}

function describeRemaining({ remaining, failure }: BulkOutcome): string {
  const documentCount = formatCount(remaining.length, 'document')
  return failure === null
    ? `Stopped with ${documentCount} left. The rest is still selected.`
    : `${failure.replace(/\.$/, '')}. ${documentCount} may not have been processed. The rest is still selected.`
}

/** Reports a bulk action that did not succeed for all documents. */
export function BulkOutcomeDialog({ outcome, onClose }: Props) {
  const { action, done, refused, remaining } = outcome
  return (
    <Dialog
      open
      onClose={onClose}
      title={refused.length > 0 ? 'The action failed for some documents' : 'Not finished'}
      description={`${describeDone(action, done)}.`}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      {remaining.length > 0 && <p className="mb-4 text-sm">{describeRemaining(outcome)}</p>}
      {refused.length > 0 && (
        <>
          <h3 className="mb-1 font-medium text-sm">Failed for {formatCount(refused.length, 'document')}</h3>
          <ul aria-label="Failed" className="divide-y divide-hairline">
            {refused.map(({ _id, title, message }) => (
              <li key={_id} className="flex flex-col gap-0.5 py-2">
                <span dir="auto" className="wrap-anywhere line-clamp-2 text-start font-medium text-sm">
                  {title ?? 'Deleted document'}
                </span>
                <span className="wrap-anywhere text-danger text-sm">{message}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
