import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { DocumentKind } from '@lyceum/contract/documents'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTextExtractor } from './child-extractor.ts'
import { createPermissionFlags } from './child-process.ts'
import { createForm, type Line, makePdf, makeTextPdf } from './fixtures/make-pdf.ts'
import { createDocxMembers, createDocxParagraph, makeZip } from './fixtures/make-zip.ts'
import type { ExtractedText } from './port.ts'

const extractor = createTextExtractor()
const requests: string[] = []
const listener = createServer((request, response) => {
  requests.push(request.url ?? '')
  response.end('<w:p/>')
})
let url = ''

beforeAll(async () => {
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
})
afterAll(async () => {
  await extractor.close()
  listener.close()
})

function extract(kind: DocumentKind, bytes: Buffer): Promise<ExtractedText> {
  return extractor.extract({ kind, lane: 'slow', open: async () => Readable.from([bytes]) })
}
function getFault(kind: DocumentKind, bytes: Buffer): Promise<string> {
  return extract(kind, bytes).then(
    () => 'none',
    (error: { fault?: string }) => error.fault ?? String(error),
  )
}

const words: Line[] = [{ text: 'The keeper lights the lamp at dusk', y: 700 }]

describe('the extraction process', () => {
  it('can only read code and cannot write files, start processes or connect', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lyceum-probe-'))
    try {
      const probe = fileURLToPath(new URL('./fixtures/probe.ts', import.meta.url))
      const args = [...createPermissionFlags(), '--no-warnings', probe, url]
      const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env: {}, encoding: 'utf8' })
      expect(stderr).toBe('')
      expect(new Set(Object.values(JSON.parse(stdout) as object))).toEqual(new Set(['refused']))
      expect(readdirSync(folder)).toEqual([])
      expect(requests).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('a PDF', () => {
  it('yields only the text of a file with scripts, launch actions and attachments', async () => {
    const root = `/OpenAction << /S /JavaScript /JS (app.launchURL\\("${url}"\\)) >> /Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (while\\(true\\);) >>] >> >>`
    const page = `/AA << /O << /S /Launch /F (/bin/sh) >> /C << /S /URI /URI (${url}) >> >>`
    expect((await extract('pdf', makeTextPdf([words], { root, page }))).text).toBe(words[0]?.text)
    expect(requests).toEqual([])
  })

  it('reports a cyclic page tree as damaged', async () => {
    const pages = '<< /Type /Pages /Kids [3 0 R] /Count 4000 >>'
    const back = '<< /Type /Pages /Kids [2 0 R] /Parent 2 0 R /Count 4000 >>'
    expect(await getFault('pdf', makePdf(['<< /Type /Catalog /Pages 2 0 R >>', pages, back]))).toBe('damaged')
  })

  it('reads a file with a cyclic outline or form', async () => {
    const outline = '/Outlines << /First 5 0 R >>'
    const entry = '<< /Title (A) /Next 5 0 R /First 5 0 R /Dest [6 0 R /Fit] >>'
    expect((await extract('pdf', makeTextPdf([words], { root: outline, fifth: entry }))).text).toBe(
      words[0]?.text,
    )
    const form = makeTextPdf([words], { fifth: createForm('/X Do /X Do') })
    const drawing = Buffer.from(form.toString('latin1').replaceAll('Tj ET', 'Tj ET /X Do'), 'latin1')
    expect((await extract('pdf', drawing)).text).toBe(words[0]?.text)
  })

  it('reports excessive nesting as damaged', async () => {
    const deep = `/Deep ${'['.repeat(200_000)}${']'.repeat(200_000)}`
    expect(await getFault('pdf', makeTextPdf([words], { root: deep }))).toBe('damaged')
  })
})

describe('a Word document', () => {
  it('fetches no external pictures, templates or parts', async () => {
    const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const targets = [url, 'file:///etc/passwd', '../../../../etc/passwd', '\\\\127.0.0.1\\share\\a']
    const relations = targets.flatMap((target, index) =>
      ['image', 'attachedTemplate', 'aFChunk', 'styles', 'footnotes'].map(
        (kind) =>
          `<Relationship Id="${kind}${index}" Type="${type}/${kind}" Target="${target}" TargetMode="External"/>`,
      ),
    )
    function picture(index: number): string {
      return `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip xmlns:r="${type}" r:link="image${index}" r:embed="image${index}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
    }
    const chunk = `<w:altChunk xmlns:r="${type}" r:id="aFChunk1"/>`
    const bytes = makeZip([
      ...createDocxMembers(
        createDocxParagraph('Some text') + targets.map((_, index) => picture(index)).join('') + chunk,
      ),
      {
        name: 'word/_rels/document.xml.rels',
        content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join('')}</Relationships>`,
      },
    ])
    const outcome = await extract('docx', bytes).then(
      ({ text }) => text,
      (error: { fault: string }) => error.fault,
    )
    expect(['Some text', 'damaged']).toContain(outcome)
    expect(requests).toEqual([])
  })

  it('survives excessive nesting and reads the next document', async () => {
    const depth = 100_000
    const body =
      '<w:sdt><w:sdtContent>'.repeat(depth) +
      createDocxParagraph('deep') +
      '</w:sdtContent></w:sdt>'.repeat(depth)
    const noise = Array.from({ length: 40_000 }, (_, index) =>
      createDocxParagraph(`${(index * 7919) % 104_729}`),
    ).join('')
    expect(['damaged', 'unsafe', 'none']).toContain(
      await getFault('docx', makeZip(createDocxMembers(body + noise))),
    )
    expect((await extract('docx', makeZip(createDocxMembers(createDocxParagraph('Some text'))))).text).toBe(
      'Some text',
    )
  })
})
