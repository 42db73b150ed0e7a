import { auditAreas, auditResults } from '@lyceum/contract/audit'
import { ListFilter, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { cx } from '#ui/cx.ts'
import { DayField, explainRange } from '#ui/DayField.tsx'
import { Field } from '#ui/Field.tsx'
import { Select } from '#ui/Select.tsx'
import { areaLabels } from './audit-labels.ts'
import type { AuditView } from './use-audit-view.ts'

const resultLabels = { ok: 'Done', denied: 'Denied', failed: 'Failed' } as const

interface Props {
  view: AuditView
  isFiltered: boolean
  filterCount: number
  onFilter: (change: Partial<AuditView>) => void
  onClear: () => void
  /** Shown to viewers who can list users. */
  userFilter: ReactNode
}

/** On narrow screens, a button opens the filters, which would fill half the screen. */
export function AuditFilters(props: Props) {
  const { view, isFiltered, filterCount, onFilter, onClear, userFilter } = props
  const [isOpen, setIsOpen] = useState(isFiltered)
  // Also empties date fields that hold a date that was not applied.
  const [clearCount, setClearCount] = useState(0)
  function clear(): void {
    setClearCount(clearCount + 1)
    onClear()
  }
  const id = useId()
  return (
    <section aria-label="Filters" className="flex flex-col gap-4">
      <Button
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        className="self-start max-sm:w-full lg:hidden"
      >
        <ListFilter aria-hidden="true" className="size-4" />
        {filterCount === 0 ? 'Filters' : `Filters (${filterCount})`}
      </Button>
      <div
        id={id}
        className={cx(
          'grid grid-cols-2 items-start gap-3 max-lg:rounded-card max-lg:border max-lg:border-hairline max-lg:bg-raised max-lg:p-4 lg:grid-cols-6',
          !isOpen && 'max-lg:hidden',
        )}
      >
        {userFilter}
        <div className="max-sm:col-span-2">
          <Field label="Action">
            {(control) => (
              <Select
                {...control}
                value={view.area ?? ''}
                onChange={({ target }) =>
                  onFilter({ area: auditAreas.find((area) => area === target.value) ?? null })
                }
              >
                <option value="">All actions</option>
                {auditAreas.map((area) => (
                  <option key={area} value={area}>
                    {areaLabels[area]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <div className="max-sm:col-span-2">
          <DayField key={clearCount} label="From" value={view.from} onChange={(from) => onFilter({ from })} />
        </div>
        <div className="max-sm:col-span-2">
          <DayField
            key={clearCount}
            label="To"
            value={view.to}
            error={explainRange(view)}
            onChange={(to) => onFilter({ to })}
          />
        </div>
        <Field label="Result">
          {(control) => (
            <Select
              {...control}
              value={view.result ?? ''}
              onChange={({ target }) =>
                onFilter({ result: auditResults.find((result) => result === target.value) ?? null })
              }
            >
              <option value="">Any</option>
              {auditResults.map((result) => (
                <option key={result} value={result}>
                  {resultLabels[result]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {/* Starts where the controls do, below their labels. */}
        <Button aria-disabled={!isFiltered} onClick={clear} className="mt-6.5">
          <X aria-hidden="true" className="size-4" />
          Clear filters
        </Button>
        <div className="col-span-full">
          <Checkbox
            label="Show what I viewed"
            checked={view.showsOwnReading}
            onChange={({ target }) => onFilter({ showsOwnReading: target.checked })}
          />
        </div>
      </div>
    </section>
  )
}
