import type { ExtractionFault } from '#providers/text-extraction/port.ts'

/** Shown to reviewers when a document could not be indexed. */
export const extractionMessages: Record<ExtractionFault, string> = {
  encrypted: 'This document is password-protected. Please upload it without a password.',
  no_text: 'No text was found in this document. If its pages are scans, run text recognition (OCR) first.',
  no_pages: 'This document has no pages.',
  damaged: 'This document is damaged and could not be read.',
  too_many_pages: 'This document has more than 5,000 pages. Please upload it in parts.',
  too_much_text: 'This document contains more text than can be indexed. Please upload it in parts.',
  unsafe: 'This document expands to much more than its file size, so it was not read.',
  timeout: 'Reading this document took too long and was stopped.',
  out_of_memory: 'Reading this document took too much memory and was stopped.',
  crashed: 'This document could not be read because the text extraction crashed.',
}

export const unexpectedMessage = 'This document could not be indexed because of an unexpected error.'

export const keywordOnlyMessage =
  'Searchable by keywords only, because the embedding service did not respond. Reindex the document to try again.'

/** Returns whether another attempt with the same file may succeed. */
export function isRetryable(fault: ExtractionFault): boolean {
  return fault === 'crashed' || fault === 'timeout'
}
