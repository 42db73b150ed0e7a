import { expect, it } from 'vitest'
import { batchCalls } from './batch-calls.ts'

it('answers calls that come together with one, each with its own result', async () => {
  const batches: number[][] = []
  const double = batchCalls(5, async (items: readonly number[]) => {
    batches.push([...items])
    return items.map((item) => item * 2)
  })
  expect(await Promise.all([double(1), double(2), double(3)])).toEqual([2, 4, 6])
  expect(await double(4)).toBe(8)
  expect(batches).toEqual([[1, 2, 3], [4]])
})

it('fails all calls of a batch that fails, and none after it', async () => {
  let fails = true
  const run = batchCalls(1, async (items: readonly string[]) => {
    if (fails) throw new Error('away')
    return items
  })
  const calls = await Promise.allSettled([run('a'), run('b')])
  expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await run('c')).toBe('c')
})
