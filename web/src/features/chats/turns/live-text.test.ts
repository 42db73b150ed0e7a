import { expect, it, vi } from 'vitest'
import { createLiveText } from './live-text.ts'

it('shows appended text in batches of 50 ms', () => {
  vi.useFakeTimers()
  const live = createLiveText({ text: 'So ', citations: [] })
  const onChange = vi.fn()
  live.subscribe(onChange)
  live.append('far')
  live.append(' so')
  expect(live.get().text).toBe('So ')
  vi.advanceTimersByTime(50)
  expect(live.get().text).toBe('So far so')
  expect(onChange).toHaveBeenCalledTimes(1)
})

it('shows the remaining text at once when it is flushed', () => {
  vi.useFakeTimers()
  const live = createLiveText({ text: '', citations: [] })
  live.append('End')
  live.flush()
  expect(live.get().text).toBe('End')
  const onChange = vi.fn()
  live.subscribe(onChange)
  vi.advanceTimersByTime(100)
  expect(onChange).not.toHaveBeenCalled()
})
