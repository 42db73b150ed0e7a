import { beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
})

async function loadModule() {
  return import('./when-in-use.ts')
}

it('runs once the pointer moves, and immediately from then on', async () => {
  const { whenInUse } = await loadModule()
  const work = vi.fn()
  whenInUse(work, 100)
  await vi.advanceTimersByTimeAsync(4000)
  expect(work).not.toHaveBeenCalled()
  document.body.dispatchEvent(new Event('pointermove', { bubbles: true }))
  await vi.advanceTimersByTimeAsync(100)
  expect(work).toHaveBeenCalledTimes(1)
  whenInUse(work, 100)
  await vi.advanceTimersByTimeAsync(100)
  expect(work).toHaveBeenCalledTimes(2)
})

it('runs after five seconds on a page that nobody touches', async () => {
  const { whenInUse } = await loadModule()
  const work = vi.fn()
  whenInUse(work, 100)
  await vi.advanceTimersByTimeAsync(5100)
  expect(work).toHaveBeenCalledTimes(1)
})

it('can be cancelled before and after the first use', async () => {
  const { whenInUse } = await loadModule()
  const work = vi.fn()
  whenInUse(work, 100)()
  const cancel = whenInUse(work, 100)
  document.body.dispatchEvent(new Event('keydown', { bubbles: true }))
  await vi.advanceTimersByTimeAsync(0)
  cancel()
  await vi.advanceTimersByTimeAsync(1000)
  expect(work).not.toHaveBeenCalled()
})
