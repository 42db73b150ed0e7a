import { formatCount } from '#lib/format-count.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { doneWords } from './bulk-labels.ts'
import type { BulkOutcome } from './use-bulk.ts'

interface Props {
  outcome: BulkOutcome
  onClose: () => void
}

function leftWords({ left, failure }: BulkOutcome): string {
  const what = formatCount(left.length, 'document')
  return failure === null
    ? `Stopped before ${what}. They are still selected.`
    : `${failure.replace(/\.$/, '')}. ${what} may not have been reached and are still selected.`
}

/** What became of a action to several documents when it did not succeed with all of them. */
export function BulkOutcomeDialog({ outcome, onClose }: Props) {
  const { action, done, refused, left } = outcome
  return (
    <Dialog
      open
      onClose={onClose}
      title={refused.length > 0 ? 'Not everything was done' : 'Not finished'}
      description={`${doneWords(action, done)}.`}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      {left.length > 0 && <p className="mb-4 text-sm">{leftWords(outcome)}</p>}
      {refused.length > 0 && (
        <>
          <h3 className="mb-1 font-medium text-sm">{formatCount(refused.length, 'document')} refused</h3>
          <ul aria-label="Refused" className="divide-y divide-hairline">
            {refused.map(({ _id, title, message }) => (
              <li key={_id} className="flex flex-col gap-0.5 py-2">
                <span dir="auto" className="wrap-anywhere line-clamp-2 text-start font-medium text-sm">
                  {title ?? 'A document that is gone'}
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
