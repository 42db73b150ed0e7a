import { expect, it, vi } from 'vitest'
import { createLiveText } from './live-text.ts'

it('shows the pieces of a reply together, every 50 ms', () => {
  vi.useFakeTimers()
  const live = createLiveText({ text: 'So ', citations: [] })
  const drawn = vi.fn()
  live.subscribe(drawn)
  live.append('far')
  live.append(' so')
  expect(live.read().text).toBe('So ')
  vi.advanceTimersByTime(50)
  expect(live.read().text).toBe('So far so')
  expect(drawn).toHaveBeenCalledTimes(1)
})

it('shows the rest at once when there is no more', () => {
  vi.useFakeTimers()
  const live = createLiveText({ text: '', citations: [] })
  live.append('End')
  live.flush()
  expect(live.read().text).toBe('End')
  const drawn = vi.fn()
  live.subscribe(drawn)
  vi.advanceTimersByTime(100)
  expect(drawn).not.toHaveBeenCalled()
})
