import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocxMembers, createDocxParagraph, makeZip, type ZipMember } from './fixtures/make-zip.ts'
import { getKindByName, sniffFile } from './sniff.ts'

const documents = fileURLToPath(new URL('../../testing/documents/', import.meta.url))
const fixtures = fileURLToPath(new URL('./fixtures/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'lyceum-sniff-'))
afterAll(() => rmSync(folder, { recursive: true }))

const spooled = join(folder, 'upload')
function sniff(name: string, content: Buffer | string) {
  writeFileSync(spooled, content)
  return sniffFile(spooled, name)
}

const pdf = readFileSync(`${documents}handbook.pdf`)
const doc = readFileSync(`${documents}safety.doc`)
const docx = readFileSync(`${documents}travel-policy.docx`)
const txt = readFileSync(`${documents}menu.txt`)

const incompressible = Array.from({ length: 400_000 }, (_, index) => (index * 7919) % 104_729).join(' ')

/** A Word file with macros, which Word calls .docm. */
function createMacroMembers(encoding: 'utf8' | 'utf16le' = 'utf8'): ZipMember[] {
  return createDocxMembers('').map((member) => ({
    ...member,
    content: Buffer.from(
      String(member.content).replace(
        'vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
        'vnd.ms-word.document.macroEnabled.main+xml',
      ),
      encoding,
    ),
  }))
}

describe('sniffFile', () => {
  it.each([
    ['a.pdf', pdf, 'pdf'],
    ['a.PDF', Buffer.concat([Buffer.from('mail gateway\n'), pdf]), 'pdf'],
    ['a.doc', doc, 'doc'],
    ['a.docx', docx, 'docx'],
    [
      'online.docx',
      makeZip(
        createDocxMembers('').map((each) => ({ ...each, name: each.name.replace('document', 'document2') })),
      ),
      'docx',
    ],
    ['a.txt', txt, 'txt'],
    ['western.txt', readFileSync(`${fixtures}western.txt`), 'txt'],
    ['japanese.txt', readFileSync(`${fixtures}japanese.txt`), 'txt'],
    ['utf16.txt', readFileSync(`${fixtures}utf16.txt`), 'txt'],
    ['unmarked.txt', Buffer.from('The lift is out of order until Monday.\n'.repeat(3000), 'utf16le'), 'txt'],
    ['long.txt', Buffer.from('ü'.repeat(100_000)), 'txt'],
    ['uneven.txt', Buffer.from(`x${'語'.repeat(100_000)}`), 'txt'],
  ])('detects the kind of %s', async (name, content, kind) => {
    expect(await sniff(name, content)).toEqual({ kind })
  })

  it.each([
    ['a.exe', pdf, 'type'],
    ['pdf', pdf, 'type'],
    ['a.pdf.html', pdf, 'type'],
    ['a.pdf', Buffer.alloc(0), 'empty'],
    ['a.pdf', txt, 'content'],
    ['a.doc', docx, 'content'],
    ['a.docx', doc, 'content'],
    ['a.docx', pdf, 'content'],
    ['a.docx', makeZip([{ name: 'hello.txt', content: 'x' }]), 'content'],
    ['a.docx', docx.subarray(0, 2000), 'content'],
    ['macros.docx', makeZip(createMacroMembers()), 'content'],
    ['utf16-macros.docx', makeZip(createMacroMembers('utf16le')), 'content'],
    [
      'a.docx',
      makeZip([{ name: '[Content_Types].xml', content: incompressible }, ...createDocxMembers('').slice(1)]),
      'content',
    ],
    ['a.doc', Buffer.concat([doc.subarray(0, 512), Buffer.alloc(2000)]), 'content'],
    ['a.txt', pdf, 'content'],
    ['a.txt', Buffer.concat([Buffer.alloc(100_000, 97), Buffer.from([0])]), 'content'],
    ['a.docx', Buffer.concat([doc, Buffer.from('EncryptedPackage', 'utf16le')]), 'encrypted'],
    ['a.docx', makeZip(createDocxMembers(createDocxParagraph('a'.repeat(5_000_000)))), 'unsafe'],
    ['a.docx', makeZip([...createDocxMembers(''), { name: 'x/../../y', content: '' }]), 'unsafe'],
    [
      'a.docx',
      makeZip([...createDocxMembers(''), { name: 'a', content: 'a', declaredSize: 2 ** 31 }]),
      'unsafe',
    ],
  ])('rejects %s', async (name, content, fault) => {
    expect(await sniff(name, content)).toEqual({ fault })
  })
})

describe('getKindByName', () => {
  it('accepts the four extensions in any case and nothing else', () => {
    expect(['a.PDF', 'b.docx', 'c.Doc', 'd.tar.txt'].map(getKindByName)).toEqual([
      'pdf',
      'docx',
      'doc',
      'txt',
    ])
    expect(['a', 'a.rtf', '.pdf.', 'a.docm'].map(getKindByName)).toEqual([null, null, null, null])
  })
})
