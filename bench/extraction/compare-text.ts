import { spawnSync } from 'node:child_process'
import type { DocumentKind } from '@lyceum/contract/documents'

const timeoutMs = 120_000
const maxOutputBytes = 256 * 1024 * 1024

/** Another program that reads the same file type. Text files need none. */
const readers: Partial<Record<DocumentKind, [string, (path: string) => string[]]>> = {
  pdf: ['pdftotext', (path) => ['-enc', 'UTF-8', path, '-']],
  doc: ['antiword', (path) => ['-m', 'UTF-8.txt', '-w', '0', path]],
  docx: ['pandoc', (path) => ['-f', 'docx', '-t', 'plain', '--wrap=none', path]],
}

function readWithOtherProgram(kind: DocumentKind, path: string): string | null {
  const reader = readers[kind]
  if (!reader) return null
  const [program, args] = reader
  const { status, stdout } = spawnSync(program, args(path), {
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: maxOutputBytes,
  })
  return status === 0 && stdout.trim() ? stdout : null
}

const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}]+/gu

/** Counts words. Joins words that are hyphenated at a line's end; counts characters in scripts without spaces. */
function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  const plain = text
    .normalize('NFKC')
    .replace(/\u00AD\n?/g, '')
    .replace(/(\p{L})[-\u2010]\n(\p{Ll})/gu, '$1$2')
    .toLowerCase()
  for (const [found] of plain.matchAll(word)) counts.set(found, (counts.get(found) ?? 0) + 1)
  return counts
}

function total(counts: Map<string, number>): number {
  return counts.values().reduce((sum, count) => sum + count, 0)
}

export interface Agreement {
  /** The share of the other program's words that are in our text. */
  recall: number
  /** The share of our words that are in the other program's text. */
  precision: number
  /** The other program's most frequent words that are missing from our text. */
  missing: string[]
}

/** Compares our text with another program's. Null if there is no such program or it reads nothing. */
export function compareWithOtherProgram(kind: DocumentKind, path: string, ours: string): Agreement | null {
  const theirs = readWithOtherProgram(kind, path)
  if (theirs === null) return null
  const [mine, other] = [countWords(ours), countWords(theirs)]
  const both = other.entries().reduce((sum, [found, count]) => sum + Math.min(count, mine.get(found) ?? 0), 0)
  const missing = [...other]
    .map(([found, count]): [string, number] => [found, count - (mine.get(found) ?? 0)])
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 12)
  return {
    recall: both / (total(other) || 1),
    precision: both / (total(mine) || 1),
    missing: missing.map(([found, count]) => (count > 1 ? `${found}×${count}` : found)),
  }
}
