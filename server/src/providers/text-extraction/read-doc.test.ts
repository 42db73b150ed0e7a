import { describe, expect, it } from 'vitest'
import { makeDoc, makeOldDoc, makeOle, type Paragraph } from './fixtures/make-doc.ts'
import type { ExtractedText } from './port.ts'
import { readDoc } from './read-doc.ts'

function read(paragraphs: readonly Paragraph[]): Promise<ExtractedText> {
  return readDoc(makeDoc(paragraphs))
}
function getFault(bytes: Buffer): Promise<string> {
  return readDoc(bytes).then(
    () => 'none',
    (error: { fault?: string }) => error.fault ?? String(error),
  )
}

const inTable = [0x16, 0x24, 1]
const endsRow = [...inTable, 0x17, 0x24, 1]

describe('readDoc', () => {
  it('uses heading styles and guesses no further headings', async () => {
    const { blocks } = await read([
      { text: 'Moorings\r', heading: 1 },
      { text: 'Winter\r', heading: 2 },
      { text: 'Short line without a mark\r' },
      { text: 'Boats are taken out of the water before the first frost and stay ashore until April.\r' },
    ])
    expect(blocks.map(({ kind, headingPath }) => [kind, headingPath.join(' / ')])).toEqual([
      ['heading', 'Moorings'],
      ['heading', 'Moorings / Winter'],
      ['paragraph', 'Moorings / Winter'],
      ['paragraph', 'Moorings / Winter'],
    ])
  })

  it('removes optional hyphens and keeps nonbreaking ones', async () => {
    expect((await read([{ text: 'иссле\u001fдования, non\u001estop\r' }])).text).toBe(
      'исследования, non\u2011stop',
    )
  })

  it('omits deleted text and field instructions, including nested ones', async () => {
    const { text } = await read([
      { text: 'See page \u0013 PAGEREF \u0013 REF x \u0014no\u0015 \u001412\u0015 for prices.\r' },
      { text: 'Old price: 5\r', isDeleted: true },
      { text: 'New price: 7\r' },
    ])
    expect(text).toBe('See page 12 for prices.\n\nNew price: 7')
  })

  it('joins the cells of a row, including cells with several paragraphs', async () => {
    const { text, blocks } = await read([
      { text: 'Port\u0007', modifiers: inTable },
      { text: 'Depth\u0007', modifiers: inTable },
      { text: '\u0007', modifiers: endsRow },
      { text: 'Kaldvik\r', modifiers: inTable },
      { text: 'harbour\u0007', modifiers: inTable },
      { text: '9.8 m\u0007', modifiers: inTable },
      { text: '\u0007', modifiers: endsRow },
      { text: 'After it.\r' },
    ])
    expect(text).toBe('Port: Kaldvik harbour | Depth: 9.8 m\n\nAfter it.')
    expect(blocks.map(({ kind }) => kind)).toEqual(['table', 'paragraph'])
  })

  it('reads Word 6 in the encoding of its language', async () => {
    const czech = Buffer.from([0x70, 0xf8, 0x65, 0x64, 0x20, 0x37, 0x20, 0x6c, 0x65, 0x74, 0x79, 0x0d])
    expect((await readDoc(makeOldDoc(czech, 0x0405))).text).toBe('před 7 lety')
    const russian = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x0d])
    expect((await readDoc(makeOldDoc(russian, 0x0419))).text).toBe('Привет')
  })

  it('detects Russian in a document marked as English, and the Mac encoding', async () => {
    const russian =
      'Компания предлагает со склада в Москве следующий ассортимент настоящих вин. Цена указана в рублях.'
    const bytes = Buffer.from(
      russian.replace(/[А-я]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x350)),
      'latin1',
    )
    expect((await readDoc(makeOldDoc(Buffer.concat([bytes, Buffer.from('\r')]), 0x0409))).text).toBe(russian)
    const macDocument = makeOldDoc(Buffer.from('l\xd5\x8et\x8e\r', 'latin1'), 0x0409, { isMac: true })
    expect((await readDoc(macDocument)).text).toBe('l’été')
  })

  it.each([
    ['a cyclic sector chain', makeDoc([{ text: 'x\r' }], { isLooped: true })],
    ['a container without a Word document', makeOle({ Workbook: Buffer.alloc(600) })],
    ['a header of zeros', makeOle({ WordDocument: Buffer.alloc(2000) })],
    ['a missing table stream', makeOle({ WordDocument: makeDoc([{ text: 'x\r' }]).subarray(1536, 4000) })],
  ])('reports %s as damaged', async (_, bytes) => {
    expect(await getFault(bytes)).toBe('damaged')
  })

  it('survives a change of any single byte', async () => {
    const bytes = makeDoc([{ text: 'Moorings\r', heading: 1 }, { text: 'Boats are taken out.\r' }])
    for (let at = 8; at < bytes.length; at += 3) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 0xff
      expect(['none', 'damaged', 'encrypted', 'too_much_text']).toContain(await getFault(changed))
    }
  })
})
