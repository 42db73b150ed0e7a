import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { SearchInput, searchDelayMs } from './SearchInput.tsx'

function getSearchField(): HTMLInputElement {
  return screen.getByRole('searchbox', { name: 'Search' })
}
function type(text: string): void {
  void fireEvent.change(getSearchField(), { target: { value: text } })
}
function advance(ms: number): void {
  act(() => void vi.advanceTimersByTime(ms))
}

it('searches once after a pause in typing, for the trimmed text', () => {
  vi.useFakeTimers()
  const searched: string[] = []
  render(<SearchInput label="Search" value="" onSearch={(text) => searched.push(text)} />)
  type('re')
  advance(searchDelayMs - 1)
  type(' report ')
  advance(searchDelayMs - 1)
  expect(searched).toEqual([])
  advance(1)
  expect(searched).toEqual(['report'])
})

it('updates its text when the search changes elsewhere', () => {
  const { rerender } = render(<SearchInput label="Search" value="report" onSearch={() => undefined} />)
  rerender(<SearchInput label="Search" value="" onSearch={() => undefined} />)
  expect(getSearchField().value).toBe('')
})

it('keeps what was typed while its own search was under way', () => {
  vi.useFakeTimers()
  const searched: string[] = []
  function renderField(value: string) {
    return <SearchInput label="Search" value={value} onSearch={(text) => searched.push(text)} />
  }
  const { rerender } = render(renderField(''))
  type('report')
  advance(searchDelayMs)
  type('')
  rerender(renderField('report'))
  expect(getSearchField().value).toBe('')
  advance(searchDelayMs)
  expect(searched).toEqual(['report', ''])
  rerender(renderField(''))
  rerender(renderField('report'))
  expect(getSearchField().value).toBe('report')
})
