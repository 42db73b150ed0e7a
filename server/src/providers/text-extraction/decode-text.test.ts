import { describe, expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'

describe('decodeText', () => {
  it('detects Cyrillic in mostly English text', () => {
    const russian =
      'Пакет предназначен для использования русского языка. Вы можете использовать любую кодировку.'
    // Windows-1251 has the Russian letters in the order of Unicode.
    const bytes = Buffer.from(
      russian.replace(/[А-я]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x350)),
      'latin1',
    )
    const english = Buffer.from('% This file is part of the package and may be copied by anyone.\n'.repeat(4))
    expect(decodeText(Buffer.concat([english, bytes, english]))).toContain(russian)
  })

  it('keeps Western letters', () => {
    const text = 'Die Größe der Übung für Gäste: königlich, größtmöglich, über Föhr'
    expect(decodeText(Buffer.from(text, 'latin1'))).toBe(text)
  })

  it('decodes 7-bit Japanese', () => {
    const bytes = Buffer.from('Name: \u001b$BL>A0\u001b(B (bison)', 'latin1')
    expect(decodeText(bytes)).toBe('Name: 名前 (bison)')
  })
})
