import type { ExtractionFault } from '#providers/text-extraction/port.ts'

/** Shown to reviewers when a document could not be indexed. */
export const extractionMessages: Record<ExtractionFault, string> = {
  encrypted: 'This document is password-protected. Please upload it without a password.',
  no_text: 'No text was found in this document. If its pages are scans, run text recognition (OCR) first.',
  no_pages: 'This document has no pages.',
  damaged: 'This document is damaged and could not be read.',
  too_many_pages: 'This document has more than 5,000 pages. Please upload it in parts.',
  too_much_text: 'This document contains more text than can be indexed. Please upload it in parts.',
  unsafe:
    'This Word file is packed in an unsafe way or expands to much more than its size, so it was not read.',
  doctype:
    'This Word file contains a document type declaration (DOCTYPE), which Word never writes, so it was not read.',
  timeout: 'Reading this document took too long and was stopped.',
  out_of_memory: 'Reading this document took too much memory and was stopped.',
  crashed: 'This document could not be read because the text extraction crashed.',
}

const maxListedPages = 10
const listFormat = new Intl.ListFormat('en')

/** Shown beside a document of which some pages are missing. */
export function describeUnreadPages(pages: readonly number[]): string {
  const listed = pages.slice(0, maxListedPages).map(String)
  const hidden = pages.length - listed.length
  if (hidden > 0) listed.push(`${hidden} more`)
  return pages.length === 1
    ? `Page ${listed[0]} took too much time or memory to read and was left out.`
    : `Pages ${listFormat.format(listed)} took too much time or memory to read and were left out.`
}

export const unexpectedMessage = 'This document could not be indexed because of an unexpected error.'

export const keywordsOnlyForNow =
  'Searchable by keywords only for now, because the embedding server failed. Lyceum tries again at least every hour.'
/** How the reasons begin of documents without vectors; earlier versions stored another one. */
export const keywordsOnlyBeginning = 'Searchable by keywords only'

/**
 * Returns whether another attempt with the same file may succeed. The limits on time and memory do not depend on how
 * busy the machine is, so a file that exceeds them would do so again.
 */
export function isRetryable(fault: ExtractionFault): boolean {
  return fault === 'crashed'
}

const fileReasons: ReadonlySet<string | null> = new Set(
  (Object.keys(extractionMessages) as ExtractionFault[])
    .filter((fault) => !isRetryable(fault))
    .map((fault) => extractionMessages[fault]),
)

/** Returns whether a stored reason is about the file itself. */
export function isFileReason(reason: string | null): boolean {
  return fileReasons.has(reason)
}

/** A stored reason with what to do about it. */
export function withAdvice(reason: string | null): string | null {
  return reason === extractionMessages.damaged ? `${reason} Replace it with a working copy.` : reason
}
