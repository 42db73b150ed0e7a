import { type CheckedPart, type CheckedPiece, createCitationParser, findContext } from './citations.ts'
import type { Evidence } from './evidence.ts'
import { measureFirstSentence } from './sentences.ts'

/** The model is told to reply with this if the documents do not contain the answer. */
export const noAnswer = 'NO_ANSWER'

export const refusals = {
  noDocuments: 'This channel has no approved documents to answer from yet.',
  notFound: 'I couldn’t find this in the approved documents of this channel.',
  notInFiles: 'I couldn’t find this in your files.',
  notInFilesOrDocuments: 'I couldn’t find this in your files or in the approved documents of this channel.',
} as const

/** Says where the answer was looked for. Files are those attached to the chat. */
export function getRefusal({ hasDocuments, hasFiles }: { hasDocuments: boolean; hasFiles: boolean }): string {
  if (hasFiles) return hasDocuments ? refusals.notInFilesOrDocuments : refusals.notInFiles
  return hasDocuments ? refusals.notFound : refusals.noDocuments
}

/**
 * In characters. Each piece of text that arrives searches the unfinished sentence again, and checking a long one takes
 * long. Parts of a longer sentence are checked one by one.
 */
const maxSentenceLength = 4000

/**
 * Releases an answer sentence by sentence, and only sentences that a passage supports. A sentence without a
 * valid citation is never shown, because shown text cannot be taken back. Continues the text shown `before`.
 */
export function createStrictFilter(evidence: Evidence, before = '') {
  let buffer = ''
  let removed = 0
  let released = before !== ''
  /** Whitespace after the last sentence shown, emitted only when another sentence follows. */
  let gap = before === '' || /\s$/.test(before) ? '' : ' '
  let isFirst = true
  /** The end of the text so far, as the model wrote it. */
  let recentText = before.slice(-maxSentenceLength)

  function remove(space: string): CheckedPart[] {
    removed += 1
    // Removing a line must not join the lines around it.
    if (!gap.includes('\n') && space.includes('\n')) gap = space
    return []
  }

  function checkSentence(text: string): CheckedPiece {
    const lead = isFirst && before !== '' ? (/^\s*/.exec(text)?.[0] ?? '') : ''
    isFirst = false
    const sentence = text.slice(lead.length)
    const parser = createCitationParser()
    const space = sentence.slice(sentence.trimEnd().length)
    const parsed = [...parser.push(sentence.trimEnd()), ...parser.end()]
    const cited = parsed.flatMap((part) => (part.type === 'citations' ? part.numbers : []))
    const kept = new Set(evidence.findSupporting(sentence, cited))
    recentText = (recentText + text).slice(-maxSentenceLength)
    return {
      claim:
        kept.size === 0 ? null : { sentence, numbers: [...kept], before: findContext(recentText, sentence) },
      release(isConfirmed) {
        if (lead !== '') gap = lead
        if (kept.size === 0 || !isConfirmed) return remove(space)
        const gapBefore: CheckedPart[] = released && gap !== '' ? [{ type: 'text', text: gap }] : []
        released = true
        gap = space
        const shown = parsed.flatMap((part): CheckedPart[] => {
          if (part.type === 'text') return [part]
          const cites = [...new Set(part.numbers)]
            .filter((n) => kept.has(n))
            .map((n): CheckedPart => ({ type: 'cite', n, sentence }))
          removed += new Set(part.numbers).size - cites.length
          return cites.length > 0 && part.space !== ''
            ? [{ type: 'text', text: part.space }, ...cites]
            : cites
        })
        return [...gapBefore, ...shown]
      },
    }
  }

  /** The length of the next sentence to check; null until its end is known. */
  function measureNext(isFinal: boolean): number | null {
    const isLong = buffer.length > maxSentenceLength
    const length = measureFirstSentence(buffer.slice(0, maxSentenceLength), isFinal && !isLong)
    return length ?? (isLong ? maxSentenceLength : null)
  }

  function readSentences(isFinal: boolean): CheckedPiece[] {
    const pieces: CheckedPiece[] = []
    for (let length = measureNext(isFinal); length; length = measureNext(isFinal)) {
      pieces.push(checkSentence(buffer.slice(0, length)))
      buffer = buffer.slice(length)
    }
    return pieces
  }

  return {
    push(text: string): CheckedPiece[] {
      buffer += text
      return readSentences(false)
    },
    end: (): CheckedPiece[] => readSentences(true),
    /** The number of removed sentences and citations. */
    countRemoved: (): number => removed,
    /** Whether anything has been shown. */
    hasReleased: (): boolean => released,
  }
}
