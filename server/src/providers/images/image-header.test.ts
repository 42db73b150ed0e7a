import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPngHeader } from '#testing/pictures.ts'
import { readImageHeader } from './image-header.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-pictures-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function read(content: Buffer | string) {
  const path = join(folder, 'picture')
  await writeFile(path, content)
  return readImageHeader(path)
}

function create(channels: 3 | 4 = 3) {
  return sharp({ create: { width: 90, height: 60, channels, background: { r: 9, g: 99, b: 9, alpha: 0.5 } } })
}

describe('readImageHeader', () => {
  it.each([
    ['png', () => create().png()],
    ['gif', () => create().gif()],
    ['jpeg', () => create().jpeg()],
    ['jpeg', () => create().jpeg({ progressive: true, mozjpeg: true })],
    [
      'jpeg',
      () =>
        create()
          .withExif({ IFD0: { Copyright: 'x'.repeat(40_000) } })
          .jpeg(),
    ],
    ['webp', () => create().webp()],
    ['webp', () => create().webp({ lossless: true })],
    ['webp', () => create(4).webp()],
  ] as const)('reads the kind and size of a %s picture (%#)', async (kind, make) => {
    expect(await read(await make().toBuffer())).toEqual({ kind, size: { width: 90, height: 60 } })
  })

  it('reads a size that no decoder would accept', async () => {
    const size = { width: 4_000_000_000, height: 1 }
    expect(await read(createPngHeader(size.width, size.height))).toEqual({ kind: 'png', size })
  })

  it.each([
    ['png', createPngHeader(9, 9).subarray(0, 20)],
    ['png', createPngHeader(0, 9)],
    ['gif', Buffer.from('GIF89a')],
    ['jpeg', Buffer.from('ffd8ffe0', 'hex')],
    ['jpeg', Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(600_000, 0xff)])],
    ['jpeg', Buffer.from('ffd8ffda000000000000000000', 'hex')],
    ['webp', Buffer.from('RIFF....WEBPVP8 ..................')],
    ['webp', Buffer.from('RIFF....WEBPVP9 ..................')],
  ])('reads no size from a damaged %s picture (%#)', async (kind, content) => {
    expect(await read(content)).toEqual({ kind, size: null })
  })

  it('knows no other kinds', async () => {
    expect(await read('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')).toBeNull()
    expect(await read('')).toBeNull()
  })
})
