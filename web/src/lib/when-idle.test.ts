import { expect, it, vi } from 'vitest'
import { whenIdle } from './when-idle.ts'

it('works without requestIdleCallback and can be cancelled', () => {
  vi.useFakeTimers()
  const work = vi.fn()
  whenIdle(work, 400)
  const cancel = whenIdle(work, 400)
  expect(work).not.toHaveBeenCalled()
  cancel()
  vi.advanceTimersByTime(400)
  expect(work).toHaveBeenCalledTimes(1)
})
