import { addDays, countDays, formatDay, maximumRangeDays } from '@lyceum/contract/analytics'
import { useState } from 'react'
import { DayField } from '#ui/DayField.tsx'
import { Field } from '#ui/Field.tsx'
import { Select } from '#ui/Select.tsx'
import { type AnalyticsView, rangePresets } from './use-analytics-view.ts'

const customRange = 'custom'

interface Props {
  view: AnalyticsView
  onChange: (change: Partial<AnalyticsView>) => void
}

/** A range of which the screen shows only the first or the last days. */
interface ShortenedRange {
  from: string
  to: string
  shownEnd: 'first' | 'last'
}

/** Selects a number of days up to today, or a custom range. */
export function RangeFilter({ view, onChange }: Props) {
  const { from, to, days } = view
  const [shortened, setShortened] = useState<ShortenedRange | null>(null)
  const isShownShortened = shortened?.from === from && shortened.to === to
  const shownEnd = view.isShortened ? 'last' : isShownShortened && shortened.shownEnd

  /** If the new range is empty or too long, also moves its other end. */
  function setRange(range: { from: string; to: string }, isFrom: boolean): void {
    const length = countDays(range)
    const isTooLong = length > maximumRangeDays
    const maxOffset = maximumRangeDays - 1
    const adjusted = isFrom
      ? { ...range, to: length < 1 ? range.from : addDays(range.from, maxOffset) }
      : { ...range, from: length < 1 ? range.to : addDays(range.to, -maxOffset) }
    setShortened(isTooLong ? { ...adjusted, shownEnd: isFrom ? 'first' : 'last' } : null)
    onChange({ ...(length < 1 || isTooLong ? adjusted : range), days: null })
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
          <p role="status" className="order-last col-span-full text-muted text-sm empty:-mt-3">
            {shownEnd &&
              `A period has at most ${maximumRangeDays} days. Showing the ${shownEnd} ${maximumRangeDays} days of the range.`}
          </p>
        </>
      )}
    </>
  )
}
