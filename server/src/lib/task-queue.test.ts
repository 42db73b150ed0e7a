import { beforeEach, describe, expect, it } from 'vitest'
import { createTaskQueue, type RunTask } from './task-queue.ts'
import { createWaitingList } from './waiting-list.ts'

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

let runTask: RunTask
beforeEach(() => {
  runTask = createTaskQueue(2, createWaitingList({ createRefusal: () => new Error('refused') }))
})

describe('createTaskQueue', () => {
  it('runs a few tasks at a time, in their order', async () => {
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

  it('goes on after tasks that fail', async () => {
    const failed = Array.from({ length: 3 }, () => runTask(() => Promise.reject(new Error('failed'))))
    const next = runTask(async () => 'done')
    expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
    expect(await next).toBe('done')
  })
})
