import { countDays, type DayRange, formatDay, maximumRangeDays } from '@lyceum/contract/analytics'
import { useState } from 'react'
import { DayField, explainRange } from '#ui/DayField.tsx'
import { Field } from '#ui/Field.tsx'
import { Select } from '#ui/Select.tsx'
import { type AnalyticsView, rangePresets } from './use-analytics-view.ts'

const customRange = 'custom'

interface Props {
  view: AnalyticsView
  onChange: (change: Partial<AnalyticsView>) => void
}

/** A range that cannot be shown. It is dropped when the shown range changes elsewhere. */
interface Draft extends DayRange {
  changedEnd: 'from' | 'to'
  shown: DayRange
}

const tooLong = `A period has at most ${maximumRangeDays} days.`

/** The errors of the range at the field they belong to. */
function explainDraft({ changedEnd, ...range }: Draft): { from?: string; to?: string } {
  const explanation = explainRange(range)
  if (explanation !== undefined) return { to: explanation }
  return countDays(range) > maximumRangeDays ? { [changedEnd]: tooLong } : {}
}

/** Both ends stay as they were chosen. The figures follow once the range can be shown. */
function CustomRange({ view, onChange }: Props) {
  const { from, to, isShortened } = view
  const [lastDraft, setLastDraft] = useState<Draft | null>(null)
  const isCurrent = lastDraft?.shown.from === from && lastDraft.shown.to === to
  const draft = isCurrent ? lastDraft : null
  const range = draft ?? { from, to }
  const errors = draft === null ? {} : explainDraft(draft)

  function change(end: Draft['changedEnd'], day: string | null): void {
    const next = { from: range.from, to: range.to, [end]: day ?? range[end] }
    const nextDraft = { ...next, changedEnd: end, shown: { from, to } }
    if (Object.keys(explainDraft(nextDraft)).length > 0) {
      setLastDraft(nextDraft)
      return
    }
    setLastDraft(null)
    if (next.from !== from || next.to !== to) onChange({ ...next, days: null })
  }
  const today = formatDay(Date.now())
  return (
    <>
      <DayField
        label="From"
        isRequired
        value={range.from}
        max={today}
        error={errors.from}
        onChange={(day) => change('from', day)}
      />
      <DayField
        label="To"
        isRequired
        value={range.to}
        max={today}
        error={errors.to}
        onChange={(day) => change('to', day)}
      />
      <p role="status" className="order-last col-span-full text-muted text-sm empty:-mt-3">
        {isShortened && `${tooLong} Showing the last ${maximumRangeDays} days of the range.`}
      </p>
    </>
  )
}

/** Selects a number of days up to today, or a custom range. */
export function RangeFilter({ view, onChange }: Props) {
  const { days } = view
  return (
    <>
      <Field label="Period">
        {(control) => (
          <Select
            {...control}
            value={days ?? customRange}
            onChange={({ target }) =>
              onChange({ days: target.value === customRange ? null : Number(target.value) })
            }
          >
            {rangePresets.map((count) => (
              <option key={count} value={count}>
                {`Last ${count} days`}
              </option>
            ))}
            <option value={customRange}>Custom range</option>
          </Select>
        )}
      </Field>
      {days === null && <CustomRange view={view} onChange={onChange} />}
    </>
  )
}
