import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import type { DocumentKind } from '@lyceum/contract/documents'
import { documentKinds } from '@lyceum/contract/documents'
import { openPromise } from 'yauzl'
import { decodeText, detectUtf16, readByteOrderMark } from './decode-text.ts'
import { encodeOleName, isOle } from './ole.ts'
import { ExtractionError } from './port.ts'
import { checkEntries, contentTypesName, declaresMacros, isWordBody } from './zip-guard.ts'

export type SniffFault = 'type' | 'content' | 'empty' | 'encrypted' | 'unsafe'
export type Sniffed = { kind: DocumentKind } | { fault: SniffFault }

const headBytes = 64 * 1024
const maxPdfSignatureOffset = 1024
const maxUtf8Tail = 3

/** Returns the kind that the file extension indicates; null for all other extensions. */
export function getKindByName(name: string): DocumentKind | null {
  const ending = /\.([a-z]{3,4})$/i.exec(name.trim())?.[1]?.toLowerCase()
  return documentKinds.find((kind) => kind === ending) ?? null
}

/** Searches the whole file for `wanted`, one chunk at a time. */
async function fileContains(file: FileHandle, wanted: Buffer): Promise<boolean> {
  const piece = Buffer.alloc(headBytes)
  const overlap = wanted.length - 1
  let carried = 0
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(piece, carried, piece.length - carried, at)
    if (bytesRead === 0) return false
    const filled = carried + bytesRead
    if (piece.subarray(0, filled).includes(wanted)) return true
    at += bytesRead
    carried = Math.min(overlap, filled)
    piece.copyWithin(0, filled - carried, filled)
  }
}

async function sniffDoc(file: FileHandle, head: Buffer): Promise<Sniffed> {
  if (!isOle(head)) return { fault: 'content' }
  if (await fileContains(file, encodeOleName('EncryptedPackage'))) return { fault: 'encrypted' }
  return (await fileContains(file, encodeOleName('WordDocument'))) ? { kind: 'doc' } : { fault: 'content' }
}

async function sniffDocx(path: string, file: FileHandle, head: Buffer): Promise<Sniffed> {
  // Office stores password-protected documents in the older compound file format.
  if (isOle(head)) {
    const isEncrypted = await fileContains(file, encodeOleName('EncryptedPackage'))
    return { fault: isEncrypted ? 'encrypted' : 'content' }
  }
  if (head.toString('latin1', 0, 2) !== 'PK') return { fault: 'content' }
  try {
    const zip = await openPromise(path, { decodeStrings: false, validateEntrySizes: false })
    let hasMacros = false
    const names = await checkEntries(zip, async (name, entry) => {
      if (name === contentTypesName) hasMacros ||= await declaresMacros(zip, entry)
    })
    const isWord = names.has(contentTypesName) && [...names].some(isWordBody)
    return isWord && !hasMacros ? { kind: 'docx' } : { fault: 'content' }
  } catch (error) {
    return { fault: error instanceof ExtractionError && error.fault === 'unsafe' ? 'unsafe' : 'content' }
  }
}

/** The sample may end inside a UTF-8 character, so up to three bytes may be dropped. */
function isText(head: Buffer, isWhole: boolean): boolean {
  if (isWhole) return decodeText(head) !== null
  const ends = Array.from({ length: maxUtf8Tail + 1 }, (_, cut) => head.subarray(0, head.length - cut))
  return ends.some((piece) => decodeText(piece) !== null)
}

async function sniffTxt(file: FileHandle, head: Buffer, size: number): Promise<Sniffed> {
  const isUtf16 = readByteOrderMark(head)?.startsWith('utf-16') || detectUtf16(head) !== null
  if (!isUtf16 && (await fileContains(file, Buffer.from([0])))) return { fault: 'content' }
  return isText(head, head.length === size) ? { kind: 'txt' } : { fault: 'content' }
}

/**
 * Determines by name and content what an uploaded file is, or why it is refused. Archives are not unpacked here; their
 * real size is checked when they are read.
 */
export async function sniffFile(path: string, originalName: string): Promise<Sniffed> {
  const kind = getKindByName(originalName)
  if (!kind) return { fault: 'type' }
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size === 0) return { fault: 'empty' }
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(headBytes, size)), 0)
    const head = buffer.subarray(0, bytesRead)
    switch (kind) {
      case 'pdf':
        return head.subarray(0, maxPdfSignatureOffset).includes('%PDF-') ? { kind } : { fault: 'content' }
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
