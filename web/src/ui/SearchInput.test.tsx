import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { SearchInput, searchDelayMs } from './SearchInput.tsx'

function box(): HTMLInputElement {
  return screen.getByRole('searchbox', { name: 'Search' })
}
function type(text: string): void {
  void fireEvent.change(box(), { target: { value: text } })
}
function pass(ms: number): void {
  act(() => void vi.advanceTimersByTime(ms))
}

it('searches once after a pause in typing, for the trimmed text', () => {
  vi.useFakeTimers()
  const searched: string[] = []
  render(<SearchInput label="Search" value="" onSearch={(text) => searched.push(text)} />)
  type('re')
  pass(searchDelayMs - 1)
  type(' report ')
  pass(searchDelayMs - 1)
  expect(searched).toEqual([])
  pass(1)
  expect(searched).toEqual(['report'])
})

it('updates its text when the search changes elsewhere', () => {
  const { rerender } = render(<SearchInput label="Search" value="report" onSearch={() => undefined} />)
  rerender(<SearchInput label="Search" value="" onSearch={() => undefined} />)
  expect(box().value).toBe('')
})
