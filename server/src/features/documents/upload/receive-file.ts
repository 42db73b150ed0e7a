import { createReadStream } from 'node:fs'
import type { DocumentKind } from '@lyceum/contract/documents'
import type { ErrorCode } from '@lyceum/contract/errors'
import { recordFile } from '#files/record-file.ts'
import { type ReceivedFile, storeFile } from '#files/store-file.ts'
import type { StoredFile } from '#providers/files/port.ts'
import { getKindByName, type SniffFault, sniffFile } from '#providers/text-extraction/sniff.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'

const maxTextBytes = 10 * 1024 * 1024

const errorCodes: Record<SniffFault, ErrorCode> = {
  type: 'document.type',
  content: 'document.content',
  empty: 'document.empty',
  encrypted: 'document.encrypted',
  unsafe: 'document.unsafe',
}

const contentMessages: Record<DocumentKind, string> = {
  pdf: 'This file is not a PDF.',
  doc: 'This file is damaged or not a DOC.',
  docx: 'This file is damaged or not a DOCX.',
  txt: 'This file is not plain text.',
}

function createSniffError(fault: SniffFault, name: string): AppError {
  const kind = getKindByName(name)
  return fault === 'content' && kind
    ? new AppError('document.content', { message: contentMessages[kind] })
    : new AppError(errorCodes[fault])
}

export interface CheckedFile {
  path: string
  name: string
  kind: DocumentKind
}

export function requireFile(file: ReceivedFile | null): ReceivedFile {
  if (!file || (file.name === '' && file.size === 0)) throw new AppError('document.missing_file')
  return file
}

/** Requires one of the four kinds of file, by name and content, and enough disk space for it. */
export async function checkFile(
  deps: Deps,
  { path, size }: ReceivedFile,
  name: string,
): Promise<CheckedFile> {
  const sniffed = await sniffFile(path, name)
  if ('fault' in sniffed) throw createSniffError(sniffed.fault, name)
  if (sniffed.kind === 'txt' && size > maxTextBytes)
    throw new AppError('document.too_large', { message: 'A text file can have at most 10 MB' })
  deps.disk.requireFreeSpace(size)
  return { path, name, kind: sniffed.kind }
}

/** Writes the complete file to disk before the row, so that a row always has its file. */
export async function storeThenRecord<R>(
  deps: Deps,
  path: string,
  record: (stored: StoredFile) => Promise<R>,
): Promise<R> {
  const stored = await storeFile(deps, createReadStream(path))
  deps.faults.reach('blob.renamed')
  return recordFile(deps, stored.key, async () => {
    const recorded = await record(stored)
    deps.faults.reach('document.committed')
    return recorded
  })
}

/** The initial columns of a version: not reviewed and not indexed. */
export function createVersionColumns(
  { name, kind }: Pick<CheckedFile, 'name' | 'kind'>,
  stored: StoredFile,
  uploadedBy: string,
  now: number,
) {
  return {
    status: 'pending' as const,
    original_name: name,
    uploaded_by: uploadedBy,
    kind,
    file_key: stored.key,
    file_size: stored.size,
    sha256: stored.sha256,
    index_state: 'none' as const,
    index_percent: 0,
    index_attempts: 0,
    created_at: now,
  }
}
