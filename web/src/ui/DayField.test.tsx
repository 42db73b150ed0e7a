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

it('shows the day in use again when the user leaves it with a day that cannot be applied', () => {
  const applied = renderField('2026-11-01', { isRequired: true, max: '2026-11-30' })
  for (const text of ['0202-11-01', '', '2026-12-01']) {
    type(text)
    press('Enter')
    expect(getField().value).toBe(text)
    leave()
    expect(getField().value).toBe('2026-11-01')
  }
  expect(applied).toEqual([])
})

it('is emptied when the filter is cleared elsewhere', () => {
  renderField('2026-11-01')
  void fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(getField().value).toBe('')
})
