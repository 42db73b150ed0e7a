import { describe, expect, it } from 'vitest'
import { createCancellableWait } from './cancellable-wait.ts'

const never = new Promise<never>(() => undefined)

describe('createCancellableWait', () => {
  it('passes on the result or the error of the work', async () => {
    const until = createCancellableWait<'ended'>()
    expect(await until.wait(Promise.resolve(1))).toBe(1)
    await expect(until.wait(Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await until.wait(Promise.resolve(2))).toBe(2)
  })

  it('ends the current wait and every later one with the given result', async () => {
    const until = createCancellableWait<'ended'>()
    const waiting = until.wait(never)
    until.end('ended')
    expect(await waiting).toBe('ended')
    expect(await until.wait(never)).toBe('ended')
    expect(await until.wait(Promise.reject(new Error('ignored')))).toBe('ended')
  })

  it('rejects the current wait and every later one with the first reason', async () => {
    const until = createCancellableWait<never>()
    const waiting = until.wait(never)
    until.fail(new Error('first'))
    until.fail(new Error('second'))
    await expect(waiting).rejects.toThrow('first')
    await expect(until.wait(never)).rejects.toThrow('first')
  })
})
