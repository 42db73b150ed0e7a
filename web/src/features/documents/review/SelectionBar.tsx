import type { Document } from '@lyceum/contract/documents'
import { Check, type LucideIcon, RefreshCw, Trash2, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/cx.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Progress } from '#ui/Progress.tsx'
import { describeProgress, getVerb, type SelectionAction } from './bulk-labels.ts'
import { SelectionCheckbox } from './SelectionCheckbox.tsx'
import type { ReviewSelection } from './use-review-selection.ts'

interface Props {
  /** The documents on the current page. */
  documents: readonly Document[]
  selection: ReviewSelection
  /** The position of the page in the list, such as "1–20 of 45". */
  range: string
  /** Shown at the end while nothing is selected. */
  children: ReactNode
}

const actionStyles: Record<SelectionAction, { icon: LucideIcon; tone: string }> = {
  approve: { icon: Check, tone: 'text-success' },
  reject: { icon: X, tone: 'text-danger' },
  reindex: { icon: RefreshCw, tone: 'text-muted' },
  delete: { icon: Trash2, tone: 'text-danger' },
}

function BulkProgress({ progress, stop }: Pick<ReviewSelection, 'progress' | 'stop'>) {
  return (
    progress && (
      <div className="flex flex-1 items-center gap-3">
        <div className="min-w-0 flex-1">
          <Progress
            label={describeProgress(progress.action, progress.done, progress.total)}
            value={progress.done / progress.total}
          />
        </div>
        <Button size="small" onClick={stop}>
          Stop
        </Button>
      </div>
    )
  )
}

function BulkActions({ actions, request }: Pick<ReviewSelection, 'actions' | 'request'>) {
  return (
    <div className="flex flex-wrap gap-1.5">
      {actions.map((action) => {
        const { icon: Icon, tone } = actionStyles[action]
        return (
          <Button
            key={action}
            size="small"
            aria-description="The selected documents"
            onClick={() => request(action)}
          >
            <Icon aria-hidden="true" className={cx('size-4 max-sm:hidden', tone)} />
            {getVerb(action)}
          </Button>
        )
      })}
    </div>
  )
}

function SelectedActions({ selection }: { selection: ReviewSelection }) {
  const { selected, selectAll, clear } = selection
  return (
    <>
      <p className="font-medium text-sm tabular-nums">
        {selected.documents.length.toLocaleString()} selected
      </p>
      {selectAll.isOffered && (
        <Button size="small" variant="ghost" busy={selectAll.isBusy} onClick={selectAll.start}>
          {`Select ${selectAll.isComplete ? 'all' : 'the newest'} ${selectAll.count.toLocaleString()}`}
        </Button>
      )}
      <IconButton
        icon={X}
        label="Clear selection"
        className="max-sm:order-1 max-sm:ml-auto"
        onClick={clear}
      />
      <div className="max-sm:order-2 max-sm:w-full sm:ml-auto">
        <BulkActions actions={selection.actions} request={selection.request} />
      </div>
    </>
  )
}

/** Selects the documents of a page and offers bulk actions for the selection. */
export function SelectionBar({ documents, selection, range, children }: Props) {
  const { selected, actions, progress } = selection
  const checkboxId = useId()
  const selectable = documents.filter(selected.isSelectable)
  const selectedOnPage = selectable.filter(({ _id }) => selected.has(_id)).length
  const hasSelection = selected.documents.length > 0
  return (
    <section
      aria-label="Selection"
      className={cx(
        'flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1.5 rounded-card border px-3 py-1.5 sm:px-4',
        hasSelection || progress !== null
          ? 'sticky top-27 z-10 border-link/40 bg-accent-soft shadow-float'
          : 'border-hairline bg-raised',
      )}
    >
      {actions.length > 0 && (
        <SelectionCheckbox
          id={checkboxId}
          label="Select all on this page"
          isChecked={selectable.length > 0 && selectedOnPage === selectable.length}
          isIndeterminate={selectedOnPage > 0 && selectedOnPage < selectable.length}
          disabled={selectable.length === 0 || progress !== null}
          onChange={(isSelected) => selected.set(selectable, isSelected)}
        />
      )}
      {progress !== null ? (
        <BulkProgress progress={progress} stop={selection.stop} />
      ) : hasSelection ? (
        <SelectedActions selection={selection} />
      ) : (
        <>
          {actions.length > 0 && (
            <label htmlFor={checkboxId} className="font-medium text-sm">
              Select all
            </label>
          )}
          <p className="text-muted text-sm tabular-nums">{range}</p>
          <div className="ml-auto">{children}</div>
        </>
      )}
    </section>
  )
}
