import { describe, expect, it } from 'vitest'
import { createUntil } from './until.ts'

const never = new Promise<never>(() => undefined)

describe('createUntil', () => {
  it('gives what the work comes to, and its failure', async () => {
    const until = createUntil<'ended'>()
    expect(await until.wait(Promise.resolve(1))).toBe(1)
    await expect(until.wait(Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await until.wait(Promise.resolve(2))).toBe(2)
  })

  it('cuts a wait short, and every later one', async () => {
    const until = createUntil<'ended'>()
    const waiting = until.wait(never)
    until.end('ended')
    expect(await waiting).toBe('ended')
    expect(await until.wait(never)).toBe('ended')
    expect(await until.wait(Promise.reject(new Error('nobody hears')))).toBe('ended')
  })

  it('fails a wait, and every later one, with the first reason', async () => {
    const until = createUntil<never>()
    const waiting = until.wait(never)
    until.fail(new Error('first'))
    until.fail(new Error('second'))
    await expect(waiting).rejects.toThrow('first')
    await expect(until.wait(never)).rejects.toThrow('first')
  })
})
