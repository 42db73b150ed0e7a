import { describe, expect, it } from 'vitest'
import { readServerEvents, type ServerEvent } from './server-events.ts'

function createStream(chunks: readonly Uint8Array[], onCancel = () => undefined): ReadableStream<Uint8Array> {
  const waiting = [...chunks]
  return new ReadableStream({
    pull(controller) {
      const chunk = waiting.shift()
      if (chunk) controller.enqueue(chunk)
      else controller.close()
    },
    cancel: onCancel,
  })
}

function read(text: string): Promise<ServerEvent[]> {
  // One byte at a time, so that line endings and characters are split.
  const bytes = Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte))
  return Array.fromAsync(readServerEvents(createStream(bytes)))
}

describe('readServerEvents', () => {
  it.each(['\n', '\r\n', '\r'])('reads events with line ending %j', async (end) => {
    const lines = [
      'event: delta',
      'id: 7',
      'data: é 漢',
      'data:second',
      '',
      ': comment',
      'data: last',
      '',
      ': end',
      '',
    ]
    expect(await read(lines.join(end))).toEqual([
      { event: 'delta', id: '7', data: 'é 漢\nsecond' },
      { event: 'message', id: undefined, data: 'last' },
    ])
  })

  it('drops an event that the stream does not finish', async () => {
    expect(await read('data: whole\n\ndata: cut')).toEqual([
      { event: 'message', id: undefined, data: 'whole' },
    ])
  })

  it('takes over the body before the first event is asked for', () => {
    const body = createStream([Buffer.from('data: x\n\n')])
    readServerEvents(body)
    expect(body.locked).toBe(true)
  })

  it('closes the stream when the reader leaves', async () => {
    let isCancelled = false
    const endless = Array.from({ length: 1000 }, () => Buffer.from('data: x\n\n'))
    for await (const { data } of readServerEvents(
      createStream(endless, () => {
        isCancelled = true
      }),
    )) {
      expect(data).toBe('x')
      break
    }
    await expect.poll(() => isCancelled).toBe(true)
  })
})
