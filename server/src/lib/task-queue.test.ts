import { describe, expect, it, vi } from 'vitest'
import { createTaskQueue } from './task-queue.ts'

function createRefusal(): Error {
  return new Error('refused')
}

/** A task that runs until it is ended, and whether it has begun. */
function createTask() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const task = { hasBegun: false, end: resolve, run: () => promise }
  task.run = () => {
    task.hasBegun = true
    return promise
  }
  return task
}

describe('createTaskQueue', () => {
  it('runs a few tasks at a time, in their order', async () => {
    const runTask = createTaskQueue({ atOnce: 2, maxWaiting: 2, createRefusal })
    const tasks = Array.from({ length: 4 }, createTask)
    const results = tasks.map(({ run }) => runTask(run))
    function listBegun(): boolean[] {
      return tasks.map(({ hasBegun }) => hasBegun)
    }
    expect(listBegun()).toEqual([true, true, false, false])
    tasks[1]?.end()
    await results[1]
    await expect.poll(listBegun).toEqual([true, true, true, false])
    for (const { end } of tasks) end()
    await Promise.all(results)
    expect(listBegun()).toEqual([true, true, true, true])
  })

  it('refuses a task when too many wait', async () => {
    const runTask = createTaskQueue({ atOnce: 1, maxWaiting: 1, createRefusal })
    const [first, second, third] = [createTask(), createTask(), createTask()]
    const results = [runTask(first.run), runTask(second.run)]
    await expect(runTask(third.run)).rejects.toThrow('refused')
    first.end()
    second.end()
    await Promise.all(results)
    third.end()
    await runTask(third.run)
  })

  it('refuses a task that has waited too long, and runs the next', async () => {
    vi.useFakeTimers()
    try {
      const runTask = createTaskQueue({ atOnce: 1, maxWaiting: 5, maxWaitMs: 500, createRefusal })
      const [first, late, next] = [createTask(), createTask(), createTask()]
      const running = runTask(first.run)
      const refused = expect(runTask(late.run)).rejects.toThrow('refused')
      vi.advanceTimersByTime(500)
      await refused
      const waiting = runTask(next.run)
      first.end()
      next.end()
      await Promise.all([running, waiting])
      expect(late.hasBegun).toBe(false)
    } finally {
      vi.useRealTimers()
    }
  })

  it('goes on after a task that fails', async () => {
    const runTask = createTaskQueue({ atOnce: 1, maxWaiting: 5, createRefusal })
    const failed = runTask(() => Promise.reject(new Error('failed')))
    const next = runTask(async () => 'done')
    await expect(failed).rejects.toThrow('failed')
    expect(await next).toBe('done')
  })
})
