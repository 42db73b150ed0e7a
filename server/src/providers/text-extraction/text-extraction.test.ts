import { createReadStream, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { DocumentKind } from '@lyceum/contract/documents'
import { afterAll, describe, expect, it } from 'vitest'
import { listChildren, sendSignal } from '#testing/processes.ts'
import { createTextExtractor } from './child-extractor.ts'
import { createDocxMembers, createDocxParagraph, makeZip } from './fixtures/make-zip.ts'
import type { ExtractedText, TextBlock } from './port.ts'

const documents = fileURLToPath(new URL('../../testing/documents/', import.meta.url))
const fixtures = fileURLToPath(new URL('./fixtures/', import.meta.url))

const extractor = createTextExtractor()
afterAll(() => extractor.close())

function extractFile(path: string, onProgress?: (percent: number) => void): Promise<ExtractedText> {
  return extractor.extract({
    kind: path.slice(path.lastIndexOf('.') + 1) as DocumentKind,
    lane: 'slow',
    open: async () => createReadStream(path),
    ...(onProgress && { onProgress }),
  })
}

function extractBytes(kind: DocumentKind, bytes: Buffer | string): Promise<ExtractedText> {
  return extractor.extract({ kind, lane: 'slow', open: async () => Readable.from([Buffer.from(bytes)]) })
}

function getBlockText(result: ExtractedText, block: TextBlock): string {
  return result.text.slice(block.charStart, block.charEnd)
}

function findBlock(result: ExtractedText, words: string): TextBlock & { text: string } {
  const block = result.blocks.find(
    (candidate) => candidate.kind !== 'heading' && getBlockText(result, candidate).includes(words),
  )
  if (!block) throw new Error(`no block with ${words}`)
  return { ...block, text: getBlockText(result, block) }
}

function getFault(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'none',
    (error: { fault?: string }) => error.fault ?? error,
  )
}

describe('the child process', () => {
  it('goes on when it gets a stop signal that was meant for the server', async () => {
    const { pages } = await extractFile(`${documents}handbook.pdf`, () => {
      for (const child of listChildren(process.pid)) sendSignal(child, 'SIGTERM')
    })
    expect(pages).toBe(7)
  })
})

describe('PDF', () => {
  it('extracts pages, headings from the outline, paragraphs and tables', async () => {
    const result = await extractFile(`${documents}handbook.pdf`)
    expect(result.pages).toBe(7)
    const carried = findBlock(result, 'seven days of unused vacation')
    expect(carried).toMatchObject({ page: 3, headingPath: ['Leave and absence', 'Carrying days over'] })
    expect(carried.text).toMatch(/^Up to seven days .* do not expire\.$/)
    const table = findBlock(result, 'Own wedding')
    expect(table.kind).toBe('table')
    expect(table.text).toContain('Occasion: Birth or adoption of a child | Days: 10')
  })

  it('finds headings by font, joins hyphenated words and omits headers and page numbers', async () => {
    const result = await extractFile(`${fixtures}almanac.pdf`)
    expect(findBlock(result, 'full moon')).toMatchObject({ page: 2, headingPath: ['Tides', 'Spring tides'] })
    expect(result.text).toContain('by the harbour master')
    expect(result.text).not.toMatch(/Almanac|Page \d/)
    expect(findBlock(result, 'Kaldvik').text).toContain('Port: Kaldvik | Depth: 9.8 m | Range: 1.7 m')
  })

  it('reads Japanese in a predefined encoding', async () => {
    expect((await extractFile(`${fixtures}japanese.pdf`)).text).toContain('有給休暇は一年に二十八日です')
  })

  it('reports progress', async () => {
    const percents: number[] = []
    await extractFile(`${documents}handbook.pdf`, (percent) => percents.push(percent))
    expect(percents.length).toBeGreaterThan(0)
    expect(percents.every((percent) => percent >= 0 && percent < 100)).toBe(true)
    expect(percents).toEqual(percents.toSorted((a, b) => a - b))
  })

  it.each([
    ['encrypted.pdf', 'encrypted'],
    ['no-pages.pdf', 'no_pages'],
    ['scanned.pdf', 'no_text'],
  ])('rejects %s as %s', async (name, fault) => {
    expect(await getFault(extractFile(fixtures + name))).toBe(fault)
  })

  it('rejects more than 5,000 pages without reading them', async () => {
    const numbers = Array.from({ length: 5001 }, (_, index) => index + 3)
    const bytes = [
      '%PDF-1.4',
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      `2 0 obj << /Type /Pages /Kids [${numbers.map((n) => `${n} 0 R`).join(' ')}] /Count 5001 >> endobj`,
      ...numbers.map((n) => `${n} 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >> endobj`),
      'trailer << /Root 1 0 R >>',
    ].join('\n')
    expect(await getFault(extractBytes('pdf', bytes))).toBe('too_many_pages')
  })

  it('reports a truncated file as damaged', async () => {
    const bytes = readFileSync(`${documents}handbook.pdf`).subarray(0, 900)
    expect(await getFault(extractBytes('pdf', bytes))).toBe('damaged')
  })
})

describe('DOCX', () => {
  it('extracts headings, lists and tables with labeled rows', async () => {
    const result = await extractFile(`${documents}travel-policy.docx`)
    expect(result.pages).toBeNull()
    const table = findBlock(result, 'Norway')
    expect(table).toMatchObject({ kind: 'table', headingPath: ['Staying away', 'Allowances by country'] })
    expect(table.text).toContain(
      'Country: Norway | Daily allowance: 80 euros | Hotel limit per night: 185 euros',
    )
    expect(findBlock(result, 'Laundry')).toMatchObject({ kind: 'list', headingPath: ['Claiming expenses'] })
  })

  it('removes invisible characters but keeps joiners', async () => {
    const hidden = `pay\u200Bment \u{E0041}sa\u00ADfe\u202E \u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645`
    const result = await extractBytes('docx', makeZip(createDocxMembers(createDocxParagraph(hidden))))
    expect(result.text).toBe('payment safe \u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645')
  })

  const paragraph = createDocxParagraph('Some text')
  it.each([
    ['entry names with ..', [...createDocxMembers(paragraph), { name: '../../etc/passwd', content: 'x' }]],
    ['absolute names', [...createDocxMembers(paragraph), { name: '/etc/passwd', content: 'x' }]],
    [
      'a symbolic link',
      [...createDocxMembers(paragraph), { name: 'word/link', content: '/etc', mode: 0o120777 }],
    ],
    [
      'too many entries',
      [
        ...createDocxMembers(paragraph),
        ...Array.from({ length: 2000 }, (_, n) => ({ name: `f${n}`, content: '' })),
      ],
    ],
    ['a ZIP bomb', createDocxMembers(createDocxParagraph('a'.repeat(40 * 1024 * 1024)))],
    [
      'a ZIP bomb that declares a small size',
      createDocxMembers(createDocxParagraph('a'.repeat(40 * 1024 * 1024))).map((member) => ({
        ...member,
        declaredSize: 500,
      })),
    ],
  ])('rejects %s as unsafe', async (_, members) => {
    expect(await getFault(extractBytes('docx', makeZip(members)))).toBe('unsafe')
  })

  it('distinguishes protected from damaged documents', async () => {
    const ole = Buffer.concat([
      readFileSync(`${documents}safety.doc`),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ])
    expect(await getFault(extractBytes('docx', ole))).toBe('encrypted')
    expect(await getFault(extractBytes('docx', makeZip(createDocxMembers(paragraph)).subarray(0, 300)))).toBe(
      'damaged',
    )
  })
})

describe('DOC', () => {
  it('extracts text, guessed headings and tables', async () => {
    const result = await extractFile(`${documents}safety.doc`)
    expect(findBlock(result, 'flagpole')).toMatchObject({ headingPath: ['Fire and first aid'] })
    expect(findBlock(result, 'Nitrile | ').text).toContain('Substance: Epoxy resin | Gloves: Nitrile')
  })

  it('rejects encrypted, truncated and renamed files', async () => {
    const bytes = readFileSync(`${documents}safety.doc`)
    const enciphered = Buffer.from(bytes)
    for (let at = 512; at < bytes.length; at += 512) {
      if (bytes.readUInt16LE(at) === 0xa5ec)
        enciphered.writeUInt16LE(bytes.readUInt16LE(at + 10) | 0x0100, at + 10)
    }
    expect(await getFault(extractBytes('doc', enciphered))).toBe('encrypted')
    expect(await getFault(extractBytes('doc', bytes.subarray(0, 3000)))).toBe('damaged')
    expect(await getFault(extractBytes('doc', makeZip(createDocxMembers(createDocxParagraph('x')))))).toBe(
      'damaged',
    )
  })
})

describe('TXT', () => {
  it.each([
    ['utf16.txt', 'café crème is free'],
    ['western.txt', 'Für Gäste gilt „bitte klingeln“'],
    ['japanese.txt', '有給休暇は一年に二十八日です'],
  ])('decodes %s', async (name, words) => {
    expect((await extractFile(fixtures + name)).text).toContain(words)
  })

  it('decodes UTF-16 without a byte order mark', async () => {
    const result = await extractBytes('txt', Buffer.from('The lift is out of order until Monday.', 'utf16le'))
    expect(result.text).toBe('The lift is out of order until Monday.')
  })

  it('recognizes headings and keeps the lines of lists', async () => {
    const result = await extractFile(`${documents}menu.txt`)
    const list = findBlock(result, 'mushroom risotto')
    expect(list).toMatchObject({ kind: 'list', headingPath: ['Canteen in Whitmouth', 'Menu of the week'] })
    expect(list.text.split('\n')).toHaveLength(5)
  })

  it('rejects files that are not text, empty or too large', async () => {
    const noise = Buffer.from(Array.from({ length: 4000 }, (_, n) => (n * 7919) % 256))
    expect(await getFault(extractBytes('txt', noise))).toBe('damaged')
    expect(await getFault(extractBytes('txt', ' \n\t\n'))).toBe('no_text')
    expect(await getFault(extractBytes('txt', 'word '.repeat(1_200_000)))).toBe('too_much_text')
  })
})
