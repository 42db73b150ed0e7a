import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import type { DocumentKind } from '@lyceum/contract/documents'
import { documentKinds } from '@lyceum/contract/documents'
import { openPromise } from 'yauzl'
import { decodeText, markedEncoding, unmarkedUtf16 } from './decode-text.ts'
import { isOle, oleName } from './ole.ts'
import { ExtractionError } from './port.ts'
import { checkDeclared, isWordText } from './zip-guard.ts'

export type SniffFault = 'type' | 'content' | 'empty' | 'encrypted' | 'unsafe'
export type Sniffed = { kind: DocumentKind } | { fault: SniffFault }

const headBytes = 64 * 1024
const pdfMarkWithin = 1024
const utf8Tail = 3

/** The kind that a file's name claims; null for any other ending. */
export function kindOfName(name: string): DocumentKind | null {
  const ending = /\.([a-z]{3,4})$/i.exec(name.trim())?.[1]?.toLowerCase()
  return documentKinds.find((kind) => kind === ending) ?? null
}

/** Whether `wanted` stands anywhere in the file, read a piece at a time. */
async function contains(file: FileHandle, wanted: Buffer): Promise<boolean> {
  const piece = Buffer.alloc(headBytes)
  const overlap = wanted.length - 1
  let kept = 0
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(piece, kept, piece.length - kept, at)
    if (bytesRead === 0) return false
    const filled = kept + bytesRead
    if (piece.subarray(0, filled).includes(wanted)) return true
    at += bytesRead
    kept = Math.min(overlap, filled)
    piece.copyWithin(0, filled - kept, filled)
  }
}

async function sniffDoc(file: FileHandle, head: Buffer): Promise<Sniffed> {
  if (!isOle(head)) return { fault: 'content' }
  if (await contains(file, oleName('EncryptedPackage'))) return { fault: 'encrypted' }
  return (await contains(file, oleName('WordDocument'))) ? { kind: 'doc' } : { fault: 'content' }
}

async function sniffDocx(path: string, file: FileHandle, head: Buffer): Promise<Sniffed> {
  // With a password Office puts the whole document into the older container.
  if (isOle(head)) {
    const isEncrypted = await contains(file, oleName('EncryptedPackage'))
    return { fault: isEncrypted ? 'encrypted' : 'content' }
  }
  if (head.toString('latin1', 0, 2) !== 'PK') return { fault: 'content' }
  try {
    const zip = await openPromise(path, { decodeStrings: false, validateEntrySizes: false })
    const names = await checkDeclared(zip)
    const isWord = names.has('[Content_Types].xml') && [...names].some(isWordText)
    return isWord ? { kind: 'docx' } : { fault: 'content' }
  } catch (error) {
    return { fault: error instanceof ExtractionError && error.fault === 'unsafe' ? 'unsafe' : 'content' }
  }
}

/** A piece of UTF-8 may end within a character, which is no fault of the file's. */
function isText(head: Buffer, isWhole: boolean): boolean {
  if (isWhole) return decodeText(head) !== null
  const ends = Array.from({ length: utf8Tail + 1 }, (_, cut) => head.subarray(0, head.length - cut))
  return ends.some((piece) => decodeText(piece) !== null)
}

async function sniffTxt(file: FileHandle, head: Buffer, size: number): Promise<Sniffed> {
  const isUtf16 = markedEncoding(head)?.startsWith('utf-16') || unmarkedUtf16(head) !== null
  if (!isUtf16 && (await contains(file, Buffer.from([0])))) return { fault: 'content' }
  return isText(head, head.length === size) ? { kind: 'txt' } : { fault: 'content' }
}

/**
 * Decides by name and content together what a received file is, or why it is refused.
 * Nothing is unpacked here: what an archive really holds is counted where it is read.
 */
export async function sniffFile(path: string, originalName: string): Promise<Sniffed> {
  const kind = kindOfName(originalName)
  if (!kind) return { fault: 'type' }
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size === 0) return { fault: 'empty' }
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(headBytes, size)), 0)
    const head = buffer.subarray(0, bytesRead)
    switch (kind) {
      case 'pdf':
        return head.subarray(0, pdfMarkWithin).includes('%PDF-') ? { kind } : { fault: 'content' }
      case 'doc':
        return await sniffDoc(file, head)
      case 'docx':
        return await sniffDocx(path, file, head)
      case 'txt':
        return await sniffTxt(file, head, size)
    }
  } finally {
    await file.close()
  }
}
