import { expect, it } from 'vitest'
import { plainText } from './plain-text.ts'

function fileOf(...bytes: number[]): Blob {
  return new Blob([new Uint8Array(bytes)])
}

it.each([
  ['UTF-8', fileOf(0xc3, 0xa9, 0x21)],
  ['UTF-8 with its mark', fileOf(0xef, 0xbb, 0xbf, 0xc3, 0xa9, 0x21)],
  ['UTF-16, low byte first', fileOf(0xff, 0xfe, 0xe9, 0x00, 0x21, 0x00)],
  ['UTF-16, high byte first', fileOf(0xfe, 0xff, 0x00, 0xe9, 0x00, 0x21)],
])('reads %s', async (_, file) => {
  expect(await plainText(file)).toBe('é!')
})
