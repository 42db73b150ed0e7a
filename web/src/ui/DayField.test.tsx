import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { DayField, dayDelayMs } from './DayField.tsx'

function getField(): HTMLInputElement {
  return screen.getByLabelText<HTMLInputElement>('From')
}
function type(text: string): void {
  void fireEvent.change(getField(), { target: { value: text } })
}
function advance(ms: number): void {
  act(() => void vi.advanceTimersByTime(ms))
}

/** Returns the applied days. The button clears the filter. */
function renderField(initial: string | null, isRequired = false): (string | null)[] {
  const applied: (string | null)[] = []
  function Filter() {
    const [value, setValue] = useState(initial)
    function apply(day: string | null): void {
      applied.push(day)
      setValue(day)
    }
    return (
      <>
        <DayField label="From" value={value} isRequired={isRequired} onChange={apply} />
        <button type="button" onClick={() => setValue(null)}>
          Clear filters
        </button>
      </>
    )
  }
  vi.useFakeTimers()
  render(<Filter />)
  return applied
}

it('applies a typed day once, after a pause, and never a year that is being typed', () => {
  const applied = renderField(null)
  for (const text of ['0002-11-15', '0020-11-15', '0202-11-15']) {
    type(text)
    advance(dayDelayMs)
    expect(getField().value).toBe(text)
  }
  type('2025-11-15')
  advance(dayDelayMs - 1)
  type('2026-11-15')
  advance(dayDelayMs - 1)
  expect(applied).toEqual([])
  advance(1)
  expect(applied).toEqual(['2026-11-15'])
})

it('applies a day on Enter and when the user leaves the field', () => {
  const applied = renderField('2026-11-01')
  type('2026-11-02')
  void fireEvent.keyDown(getField(), { key: 'Enter' })
  expect(applied).toEqual(['2026-11-02'])
  type('')
  void fireEvent.blur(getField())
  advance(dayDelayMs)
  expect(applied).toEqual(['2026-11-02', null])
})

it('shows the day in use again when the user leaves an unfinished year or empties a required field', () => {
  const applied = renderField('2026-11-01', true)
  for (const text of ['0202-11-01', '']) {
    type(text)
    advance(dayDelayMs)
    void fireEvent.blur(getField())
    expect(getField().value).toBe('2026-11-01')
  }
  expect(applied).toEqual([])
})

it('is emptied when the filter is cleared elsewhere', () => {
  renderField('2026-11-01')
  void fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(getField().value).toBe('')
})
