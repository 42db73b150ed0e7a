import type { FoundPassage } from '../documents/retrieval.ts'
import type { StoredCitation } from './present.ts'
import { closestSentences } from './quotation.ts'

/** A citation of the sentences in a passage that come closest to a wording. */
export const citePassage = (n: number, passage: FoundPassage, wording: string): StoredCitation => {
  const { start, end } = closestSentences(passage.text, wording)
  return {
    n,
    documentId: passage.documentId,
    title: passage.title,
    fileType: passage.fileType,
    page: passage.page,
    headingPath: passage.headingPath,
    charStart: passage.charStart + start,
    charEnd: passage.charStart + end,
    quote: passage.text.slice(start, end),
  }
}
