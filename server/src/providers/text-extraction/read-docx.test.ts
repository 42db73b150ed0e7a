import { describe, expect, it } from 'vitest'
import { createDocxMembers, createDocxParagraph, makeZip, type ZipMember } from './fixtures/make-zip.ts'
import { readDocx } from './read-docx.ts'

async function read(body: string, more: ZipMember[] = []): Promise<string> {
  return (await readDocx(makeZip([...createDocxMembers(body), ...more]))).text
}
function run(text: string): string {
  return `<w:r><w:t>${text}</w:t></w:r>`
}

describe('readDocx', () => {
  it('keeps the text of simple fields and bidirectional runs', async () => {
    const field = `<w:p>${run('Printed on ')}<w:fldSimple w:instr=" DATE ">${run('7 July')}</w:fldSimple></w:p>`
    const bidirectional = `<w:p><w:bdo w:val="rtl">${run('marked')}</w:bdo></w:p>`
    expect(await read(field + bidirectional)).toBe('Printed on 7 July\n\nmarked')
  })

  it('converts equations to plain text', async () => {
    function m(tag: string, inner: string): string {
      return `<m:${tag}>${inner}</m:${tag}>`
    }
    function letter(text: string): string {
      return m('r', `<w:rPr/>${m('t', text)}`)
    }
    const fraction = m('f', m('num', letter('a')) + m('den', letter('b')))
    const power = m('sSup', m('e', letter('x')) + m('sup', letter('2')))
    const sum = m('nary', m('naryPr', '<m:chr m:val="∑"/>') + m('e', letter('n')))
    const equation = `<m:oMathPara xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:oMath>${power}${letter(' &lt; ')}${fraction}${sum}</m:oMath></m:oMathPara>`
    expect(await read(`<w:p>${run('Area:')}${equation}</w:p>`)).toBe('Area: x^2 < a/b∑n')
  })

  it('reads a body named document2.xml by Word for the web', async () => {
    const members = createDocxMembers(createDocxParagraph('Some text')).map(({ name, content }) => ({
      name: name.replace('document', 'document2'),
      content: String(content).replaceAll('word/document.xml', 'word/document2.xml'),
    }))
    expect((await readDocx(makeZip(members))).text).toBe('Some text')
  })

  it('reads a text box without a fallback', async () => {
    const ns = 'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
    const box = `<wps:wsp ${ns}><wps:txbx><w:txbxContent>${createDocxParagraph('In the box')}</w:txbxContent></wps:txbx></wps:wsp>`
    const drawing = `<w:drawing><wp:anchor xmlns:wp="urn:wp"><a:graphic xmlns:a="urn:a"><a:graphicData>${box}</a:graphicData></a:graphic></wp:anchor></w:drawing>`
    expect(await read(`<w:p>${run('Before it')}<w:r>${drawing}</w:r></w:p>`)).toBe('Before it\n\nIn the box')
  })

  it('reads a list with a missing numbering style', async () => {
    const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering'
    const text = await read(
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>${run('An item')}</w:p>`,
      [
        {
          name: 'word/_rels/document.xml.rels',
          content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="n" Type="${type}" Target="numbering.xml"/></Relationships>`,
        },
        {
          name: 'word/numbering.xml',
          content: `<w:numbering ${w}><w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="Gone"/></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
        },
      ],
    )
    expect(text).toContain('An item')
  })

  it('reads a document with a DOCTYPE in the metadata of a picture', async () => {
    const picture = { name: 'word/media/image1.jpeg', content: 'JFIF <!DOCTYPE x [ ]> pixels' }
    expect(await read(createDocxParagraph('Some text'), [picture])).toBe('Some text')
  })

  it('rejects a DOCTYPE in a part that is read, including in UTF-16', async () => {
    function styles(content: string | Buffer): ZipMember[] {
      return [{ name: 'word/styles.xml', content }]
    }
    const declared = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'
    const wide = Buffer.from(`\uFEFF${declared}`, 'utf16le')
    for (const content of [declared, wide, Buffer.from(wide).swap16()])
      await expect(read(createDocxParagraph('x'), styles(content))).rejects.toMatchObject({
        fault: 'doctype',
      })
  })
})
