import { expect, it } from 'vitest'
import { nextTask } from './next-task.ts'

it('goes on in another task, after the callbacks of promises', async () => {
  const order: string[] = []
  const later = nextTask().then(() => order.push('next task'))
  await Promise.resolve().then(() => order.push('callback'))
  await later
  expect(order).toEqual(['callback', 'next task'])
})
