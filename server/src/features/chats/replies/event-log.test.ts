import { expect, it } from 'vitest'
import { createEventLog, type NewReplyEvent } from './event-log.ts'

function delta(text: string): NewReplyEvent {
  return { type: 'delta', text }
}

it('shows events at once', async () => {
  const log = createEventLog()
  const reader = log.read(0)
  log.add(delta('one'))
  expect((await reader.next()).value).toEqual({ ...delta('one'), seq: 1 })
})

it('shows held events only up to the given one, and the rest at the end', async () => {
  const log = createEventLog({ isHeld: true })
  for (const text of ['one', 'two', 'three']) log.add(delta(text))
  const seen: unknown[] = []
  const reading = (async () => {
    for await (const { seq } of log.read(0)) seen.push(seq)
  })()
  log.show(2)
  log.show(1)
  await expect.poll(() => seen).toEqual([1, 2])
  expect(log.last).toBe(3)
  log.close()
  await reading
  expect(seen).toEqual([1, 2, 3])
})

it('sends a status to a reader whose snapshot is ahead of what is shown, and no event twice', async () => {
  const log = createEventLog({ isHeld: true })
  log.add({ type: 'status', status: 'searching' })
  log.show(1)
  log.add({ type: 'status', status: 'checking' })
  log.add(delta('one'))
  const reader = log.resume(3)
  expect((await reader.next()).value).toEqual({ type: 'status', status: 'searching', seq: 3 })
  log.show(3)
  log.add(delta('two'))
  log.show(4)
  expect((await reader.next()).value).toEqual({ ...delta('two'), seq: 4 })
})
