import type { AnalyzedPassage } from './analyze.ts'
import { splitPair } from './word-splitter.ts'

/** The terms of an indexed passage, by which it is ranked without its text. */
export interface PassageTerms {
  has(term: string): boolean
  /** Hashes of the headings' and the text's terms, in order. */
  readonly inOrder: Uint32Array
}

/** Hashes a term (FNV-1a), so that the terms of a passage fit into a compact list. */
export function hashTerm(term: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < term.length; index++)
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** A letter pair is also found by its single letters. */
export function* withLetters(term: string): Generator<string> {
  yield term
  yield* splitPair(term)
}

/** How many terms are in order, those, and the others. */
export function encodePassageTerms({
  title,
  heading,
  body,
}: Pick<AnalyzedPassage, 'title' | 'heading' | 'body'>): Uint8Array {
  const inOrder = [...heading, ...body]
  const others = new Set([...title, ...inOrder.flatMap(splitPair), ...title.flatMap(splitPair)])
  const hashes = Uint32Array.from([inOrder.length, ...[...inOrder, ...others].map(hashTerm)])
  return new Uint8Array(hashes.buffer)
}

export function decodePassageTerms(encoded: Uint8Array): PassageTerms {
  // A copy, because numbers must begin at a multiple of their size.
  const hashes = new Uint32Array(new Uint8Array(encoded).buffer)
  const inOrder = hashes.subarray(1, 1 + (hashes[0] ?? 0))
  let all: Set<number> | undefined
  return {
    inOrder,
    has(term) {
      all ??= new Set(hashes.subarray(1))
      return all.has(hashTerm(term))
    },
  }
}
