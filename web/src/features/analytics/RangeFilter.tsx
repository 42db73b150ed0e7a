import { addDays, countDays, formatDay, maximumRangeDays } from '@lyceum/contract/analytics'
import { Field } from '#ui/Field.tsx'
import { Select } from '#ui/Select.tsx'
import { TextInput } from '#ui/TextInput.tsx'
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
    if (Number.isNaN(length)) return
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
          <Field label="From">
            {(control) => (
              <TextInput
                {...control}
                type="date"
                value={from}
                max={formatDay(Date.now())}
                onChange={({ target }) => setRange({ from: target.value, to }, true)}
              />
            )}
          </Field>
          <Field label="To">
            {(control) => (
              <TextInput
                {...control}
                type="date"
                value={to}
                max={formatDay(Date.now())}
                onChange={({ target }) => setRange({ from, to: target.value }, false)}
              />
            )}
          </Field>
        </>
      )}
    </>
  )
}
