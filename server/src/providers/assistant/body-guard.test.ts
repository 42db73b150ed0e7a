import { describe, expect, it } from 'vitest'
import { guardBody } from './body-guard.ts'
import { defaultTimeouts, startDeadline } from './deadline.ts'

const mebibyte = 1024 * 1024

/** Sends `total` bytes of a repeated line and counts the bytes that come out. */
async function passThrough(line: string, total: number): Promise<number> {
  const chunk = new TextEncoder().encode(line.repeat(Math.ceil(10_007 / line.length)))
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= total) return controller.close()
      sent += chunk.length
      controller.enqueue(chunk)
    },
  })
  const deadline = startDeadline(defaultTimeouts, false, new AbortController().signal)
  const guarded = guardBody(body, deadline, { isEventStream: true, maxBytes: 0 })
  let received = 0
  try {
    for (let chunk = await guarded.read(); chunk; chunk = await guarded.read()) received += chunk.length
    return received
  } finally {
    deadline.end()
  }
}

describe.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('guardBody with %s line endings', (_name, end) => {
  it('passes any number of events', async () => {
    expect(await passThrough(`data: x${end}${end}`, 6 * mebibyte)).toBeGreaterThan(6 * mebibyte)
  })

  it('rejects an endless event', async () => {
    await expect(passThrough(`data: x${end}`, 6 * mebibyte)).rejects.toThrow(
      'one event of the answer is longer',
    )
  })
})

describe('guardBody', () => {
  it('rejects an endless stream', async () => {
    await expect(passThrough(': still here\n\n', 70 * mebibyte)).rejects.toThrow('the answer is longer')
  })
})
