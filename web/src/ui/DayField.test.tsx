import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { DayField } from './DayField.tsx'

function getField(): HTMLInputElement {
  return screen.getByLabelText<HTMLInputElement>('From')
}
function press(key: string): void {
  void fireEvent.keyDown(getField(), { key })
}
function change(text: string): void {
  void fireEvent.change(getField(), { target: { value: text } })
}
function type(text: string): void {
  press('1')
  change(text)
}
/** Browsers read an incomplete date as empty. */
function setIncomplete(badInput: boolean): void {
  Object.defineProperty(getField(), 'validity', { configurable: true, value: { badInput } })
}
function leave(): void {
  void fireEvent.blur(getField())
}

/** Returns the applied days. The button clears the filter. */
function renderField(initial: string | null, options: { isRequired?: boolean; max?: string } = {}) {
  const applied: (string | null)[] = []
  function Filter() {
    const [value, setValue] = useState(initial)
    function apply(day: string | null): void {
      applied.push(day)
      setValue(day)
    }
    return (
      <>
        <DayField label="From" value={value} {...options} onChange={apply} />
        <button type="button" onClick={() => setValue(null)}>
          Clear filters
        </button>
      </>
    )
  }
  render(<Filter />)
  return applied
}

it('applies a picked day at once, also after typing', () => {
  const applied = renderField(null)
  change('2026-11-15')
  expect(applied).toEqual(['2026-11-15'])
  type('2026-11-16')
  void fireEvent.pointerDown(getField())
  change('2026-11-17')
  expect(applied).toEqual(['2026-11-15', '2026-11-17'])
})

it('applies a typed day on Enter and when the user leaves the field, and nothing before', () => {
  const applied = renderField('2026-11-01')
  for (const text of ['2026-01-01', '2026-11-02', '2026-11-20']) type(text)
  expect(applied).toEqual([])
  press('Enter')
  expect(applied).toEqual(['2026-11-20'])
  leave()
  type('')
  leave()
  expect(applied).toEqual(['2026-11-20', null])
})

const incomplete = 'Enter a complete date.'

it.each([
  ['0202-11-01', incomplete],
  ['', incomplete],
  ['2026-12-01', 'This day is in the future.'],
])('keeps %j in the field and says why it is not applied', (text, reason) => {
  const applied = renderField('2026-11-01', { isRequired: true, max: '2026-11-30' })
  type(text)
  expect(screen.queryByText(reason)).toBeNull()
  leave()
  screen.getByText(reason)
  expect(getField().value).toBe(text)
  expect(applied).toEqual([])
  type('2026-11-30')
  expect(screen.queryByText(reason)).toBeNull()
  press('Enter')
  expect(applied).toEqual(['2026-11-30'])
})

it('keeps the filter while the date is incomplete, and clears it when the field is emptied', () => {
  const applied = renderField('2026-11-01')
  type('')
  setIncomplete(true)
  leave()
  screen.getByText(incomplete)
  expect(applied).toEqual([])
  setIncomplete(false)
  leave()
  expect(screen.queryByText(incomplete)).toBeNull()
  expect(applied).toEqual([null])
})

it('limits the year to four digits', () => {
  renderField(null)
  expect(getField().max).toBe('9999-12-31')
})

it('is emptied when the filter is cleared elsewhere', () => {
  renderField('2026-11-01')
  type('')
  setIncomplete(true)
  leave()
  void fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(getField().value).toBe('')
  expect(screen.queryByText(incomplete)).toBeNull()
})
