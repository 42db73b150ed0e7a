import { describe, expect, it } from 'vitest'
import { createCancellableWait } from './cancellable-wait.ts'

const never = new Promise<never>(() => undefined)

describe('createCancellableWait', () => {
  it('passes on the result or the error of the work', async () => {
    const cancellable = createCancellableWait<'ended'>()
    expect(await cancellable.wait(Promise.resolve(1))).toBe(1)
    await expect(cancellable.wait(Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await cancellable.wait(Promise.resolve(2))).toBe(2)
  })

  it('ends the current wait and every later one with the given result', async () => {
    const cancellable = createCancellableWait<'ended'>()
    const waiting = cancellable.wait(never)
    cancellable.end('ended')
    expect(await waiting).toBe('ended')
    expect(await cancellable.wait(never)).toBe('ended')
    expect(await cancellable.wait(Promise.reject(new Error('ignored')))).toBe('ended')
  })

  it('rejects the current wait and every later one with the first reason', async () => {
    const cancellable = createCancellableWait<never>()
    const waiting = cancellable.wait(never)
    cancellable.fail(new Error('first'))
    cancellable.fail(new Error('second'))
    await expect(waiting).rejects.toThrow('first')
    await expect(cancellable.wait(never)).rejects.toThrow('first')
  })
})
