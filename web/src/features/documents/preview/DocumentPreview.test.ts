import { expect, it } from 'vitest'
import { readPlainText } from './DocumentPreview.tsx'

function createFile(...bytes: number[]): Blob {
  return new Blob([new Uint8Array(bytes)])
}

it.each([
  ['UTF-8', createFile(0xc3, 0xa9, 0x21)],
  ['UTF-8 with a byte order mark', createFile(0xef, 0xbb, 0xbf, 0xc3, 0xa9, 0x21)],
  ['UTF-16 little-endian', createFile(0xff, 0xfe, 0xe9, 0x00, 0x21, 0x00)],
  ['UTF-16 big-endian', createFile(0xfe, 0xff, 0x00, 0xe9, 0x00, 0x21)],
])('reads %s', async (_, file) => {
  expect(await readPlainText(file)).toBe('é!')
})
