import { dayAfter, dayOf, lengthOf, maximumRangeDays } from '@lyceum/contract/analytics'
import { Field } from '#ui/Field.tsx'
import { Select } from '#ui/Select.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { type AnalyticsView, presets } from './use-analytics-view.ts'

const own = 'own'

interface Props {
  view: AnalyticsView
  onShow: (change: Partial<AnalyticsView>) => void
}

/** The days that are looked at: so many up to today, or a range of one's own. */
export function RangeFilter({ view, onShow }: Props) {
  const { from, to, days } = view
  /** The other end follows where the range would be none, or too long. */
  function moveTo(range: { from: string; to: string }, isFrom: boolean): void {
    const length = lengthOf(range)
    if (Number.isNaN(length)) return
    const isFine = length >= 1 && length <= maximumRangeDays
    const last = maximumRangeDays - 1
    const fitting = isFrom
      ? { ...range, to: length < 1 ? range.from : dayAfter(range.from, last) }
      : { ...range, from: length < 1 ? range.to : dayAfter(range.to, -last) }
    onShow({ ...(isFine ? range : fitting), days: null })
  }
  return (
    <>
      <Field label="Time">
        {(control) => (
          <Select
            {...control}
            value={days ?? own}
            onChange={({ target }) => onShow({ days: target.value === own ? null : Number(target.value) })}
          >
            {presets.map((count) => (
              <option key={count} value={count}>
                {`Last ${count} days`}
              </option>
            ))}
            <option value={own}>From … to …</option>
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
                max={dayOf(Date.now())}
                onChange={({ target }) => moveTo({ from: target.value, to }, true)}
              />
            )}
          </Field>
          <Field label="To">
            {(control) => (
              <TextInput
                {...control}
                type="date"
                value={to}
                max={dayOf(Date.now())}
                onChange={({ target }) => moveTo({ from, to: target.value }, false)}
              />
            )}
          </Field>
        </>
      )}
    </>
  )
}
