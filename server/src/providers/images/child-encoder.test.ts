import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { measureProcessTime } from '#testing/cpu-time.ts'
import { listChildren, sendSignal } from '#testing/processes.ts'
import { createImageEncoder } from './child-encoder.ts'
import { type ImageEncoder, ImageError } from './port.ts'

function flat(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
}

function noise(width: number, height: number) {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
}

let folder: string
let encoder: ImageEncoder
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-images-'))
  // Generous, because the machine may be busy.
  encoder = createImageEncoder({ timeoutMs: 50_000 })
})
afterAll(async () => {
  await encoder.close()
  await rm(folder, { recursive: true, force: true })
})

async function writeTestFile(content: Buffer | string): Promise<string> {
  const path = join(folder, createHash('sha256').update(content).digest('hex'))
  await writeFile(path, content)
  return path
}

async function reencode(content: Buffer, by = encoder) {
  const { content: bytes, mimeType } = await by.reencode(await writeTestFile(content))
  expect(mimeType).toBe('image/webp')
  return { bytes, metadata: await sharp(bytes, { pages: -1 }).metadata() }
}

async function getFault(content: Buffer | string, by = encoder): Promise<unknown> {
  try {
    await by.reencode(await writeTestFile(content))
  } catch (error) {
    return error instanceof ImageError ? error.fault : error
  }
  return null
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'

describe('reencode', () => {
  it.each([
    ['SVG', () => Buffer.from(svg)],
    ['SVG after an XML declaration', () => Buffer.from(`<?xml version="1.0"?>${svg}`)],
    ['TIFF', () => flat(9, 9).tiff().toBuffer()],
    ['AVIF', () => flat(9, 9).avif().toBuffer()],
    ['BMP', async () => Buffer.from(`BM${'\0'.repeat(60)}`, 'latin1')],
    ['HEIC', async () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    ['HTML', async () => Buffer.from('<html><script>alert(1)</script>')],
    ['a WAV file', async () => Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1')],
    ['an empty file', async () => Buffer.alloc(0)],
  ])('rejects %s by its first bytes', async (_, content) => {
    expect(await getFault(await content())).toBe('type')
  })

  it('rejects truncated pictures', async () => {
    for (const whole of [await noise(400, 300).jpeg().toBuffer(), await noise(400, 300).png().toBuffer()])
      expect(await getFault(whole.subarray(0, whole.length / 2))).toBe('unreadable')
  })

  it.each(['\x89PNG\r\n\x1a\n', 'GIF89a', '\xff\xd8\xff', 'RIFF\0\0\0\0WEBP'])(
    'rejects a file with the signature %j and other content',
    async (head) => {
      expect(await getFault(Buffer.from(`${head}${svg}`, 'latin1'))).toBe('unreadable')
    },
  )

  it('rejects more than 40 million pixels before decoding', async () => {
    const bomb = await flat(20_000, 2001).png({ compressionLevel: 9 }).toBuffer()
    expect(bomb.length).toBeLessThan(1024 * 1024)
    expect(await getFault(bomb)).toBe('unreadable')
  })

  it('rejects pictures that need too much time or memory', async () => {
    const large = await flat(6000, 6000).png({ progressive: true }).toBuffer()
    const withShortTimeout = createImageEncoder({ timeoutMs: 1 })
    expect(await getFault(large, withShortTimeout)).toBe('unreadable')
    if (process.platform === 'linux') {
      const small = createImageEncoder({ residentBytes: 100 * 1024 * 1024, timeoutMs: 50_000 })
      expect(await getFault(large, small)).toBe('unreadable')
    }
  })

  it('rejects pictures while too many are waiting', async () => {
    const withShortQueue = createImageEncoder({ maxWaiting: 2, timeoutMs: 50_000 })
    const path = await writeTestFile(await flat(9, 9).png().toBuffer())
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => withShortQueue.reencode(path)))
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused.map((outcome) => (outcome as PromiseRejectedResult).reason.fault)).toEqual([
      'busy',
      'busy',
    ])
  })

  it('never blames the picture for a stop signal that was meant for the server', async () => {
    let isOver = false
    const fault = getFault(await noise(900, 600).png().toBuffer()).finally(() => {
      isOver = true
    })
    while (!isOver) {
      for (const child of listChildren(process.pid)) sendSignal(child, 'SIGTERM')
      await new Promise((resolve) => setImmediate(resolve))
    }
    // The child cannot ignore signals yet while Node starts.
    expect([null, 'busy']).toContain(await fault)
  })

  it('removes metadata, profiles and appended data', async () => {
    const photograph = await noise(64, 48)
      .withExif({
        IFD0: { Artist: 'Ada Example', Copyright: 'secret words' },
        IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' },
      })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    const hidden = Buffer.concat([photograph, Buffer.from('PK\x03\x04<script>alert(1)</script>')])
    expect((await sharp(hidden).metadata()).exif).toBeDefined()
    const { bytes, metadata } = await reencode(hidden)
    expect([metadata.format, metadata.exif, metadata.icc, metadata.xmp, metadata.iptc]).toEqual([
      'webp',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    for (const words of ['Ada Example', 'secret', 'script', 'GPS']) expect(bytes.includes(words)).toBe(false)
  })

  it.each([
    ['jpeg', () => noise(90, 60).jpeg()],
    ['png', () => noise(90, 60).png()],
    ['gif', () => noise(90, 60).gif()],
    ['webp', () => noise(90, 60).webp()],
  ])('converts %s to WebP of the same size', async (_, picture) => {
    const { metadata } = await reencode(await picture().toBuffer())
    expect([metadata.format, metadata.width, metadata.height]).toEqual(['webp', 90, 60])
  })

  it('keeps transparency and applies the orientation', async () => {
    const transparent = sharp({ create: { width: 40, height: 20, channels: 4, background: '#33669980' } })
    expect((await reencode(await transparent.png().toBuffer())).metadata.hasAlpha).toBe(true)
    const rotated = await flat(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { metadata } = await reencode(rotated)
    expect([metadata.width, metadata.height]).toEqual([20, 40])
  })

  it('shrinks to the maximum size and never enlarges', async () => {
    const { metadata } = await reencode(await flat(5000, 1000).jpeg().toBuffer())
    expect([metadata.width, metadata.height]).toEqual([3840, 768])
  })

  it('keeps the first frame of an animation', async () => {
    const frames = Buffer.concat([await flat(30, 20).raw().toBuffer(), await noise(30, 20).raw().toBuffer()])
    const animation = await sharp(frames, { raw: { width: 30, height: 40, channels: 3, pageHeight: 20 } })
      .gif({ loop: 0, delay: [100, 100] })
      .toBuffer()
    expect((await sharp(animation).metadata()).pages).toBe(2)
    const { metadata } = await reencode(animation)
    expect([metadata.pages ?? 1, metadata.width, metadata.height]).toEqual([1, 30, 20])
  })

  it('encodes several large pictures without using time or memory of this process', async () => {
    const large = await noise(2600, 1800).jpeg({ quality: 80 }).toBuffer()
    const path = await writeTestFile(large)
    const before = process.memoryUsage().rss
    const work = await measureProcessTime(() =>
      Promise.all(Array.from({ length: 6 }, () => encoder.reencode(path))),
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
    // Six pictures cost this process less than encoding one of them here would.
    expect(work).toBeLessThan(await measureProcessTime(() => sharp(large).webp().toBuffer()))
  })
})
