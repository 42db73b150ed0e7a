import { findClosestSentences, type WordRarity } from './quotation.ts'
import type { SourcePassage } from './source-passage.ts'
import type { StoredCitation } from './stored-citations.ts'

/** The page that contains an offset of the passage. */
function findPage({ page, pageBreaks }: SourcePassage, offset: number): number | null {
  return pageBreaks.findLast(([at]) => at <= offset)?.[1] ?? page
}

/** Cites the sentences of a passage that are closest to `wording`; `context` breaks ties. */
export function citePassage(
  n: number,
  passage: SourcePassage,
  { wording, context = '', weigh }: { wording: string; context?: string | undefined; weigh: WordRarity },
): StoredCitation {
  const { start, end } = findClosestSentences(passage.text, wording, context, weigh)
  return {
    n,
    documentId: passage.documentId,
    ...(passage.isAttachment ? { isAttachment: true } : {}),
    version: passage.version,
    title: passage.title,
    fileType: passage.fileType,
    page: findPage(passage, passage.charStart + start),
    headingPath: passage.headingPath,
    charStart: passage.charStart + start,
    charEnd: passage.charStart + end,
    quote: passage.text.slice(start, end),
  }
}
