import { addDays, countDays, formatDay, maximumRangeDays } from '@lyceum/contract/analytics'
import { DayField } from '#ui/DayField.tsx'
import { Field } from '#ui/Field.tsx'
import { Select } from '#ui/Select.tsx'
import { type AnalyticsView, rangePresets } from './use-analytics-view.ts'

const customRange = 'custom'

interface Props {
  view: AnalyticsView
  onChange: (change: Partial<AnalyticsView>) => void
}

/** Selects a number of days up to today, or a custom range. */
export function RangeFilter({ view, onChange }: Props) {
  const { from, to, days } = view
  /** If the new range is empty or too long, also moves its other end. */
  function setRange(range: { from: string; to: string }, isFrom: boolean): void {
    const length = countDays(range)
    const isValid = length >= 1 && length <= maximumRangeDays
    const maxOffset = maximumRangeDays - 1
    const adjusted = isFrom
      ? { ...range, to: length < 1 ? range.from : addDays(range.from, maxOffset) }
      : { ...range, from: length < 1 ? range.to : addDays(range.to, -maxOffset) }
    onChange({ ...(isValid ? range : adjusted), days: null })
  }
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
      {days === null && (
        <>
          <DayField
            label="From"
            isRequired
            value={from}
            max={formatDay(Date.now())}
            onChange={(day) => setRange({ from: day ?? from, to }, true)}
          />
          <DayField
            label="To"
            isRequired
            value={to}
            max={formatDay(Date.now())}
            onChange={(day) => setRange({ from, to: day ?? to }, false)}
          />
        </>
      )}
    </>
  )
}
