import type { Citation } from '@lyceum/contract/citations'
import { createContext } from 'react'

/** The page of a passage, or its headings in a document without pages. */
export function locationLabel({ page, headingPath }: Citation): string {
  return page === null ? headingPath.join(' › ') : `page ${page}`
}

export function citationLabel(citation: Citation): string {
  const location = locationLabel(citation)
  const name = `Source ${citation.n}: ${citation.title}${location === '' ? '' : `, ${location}`}`
  if (citation.available) return citation.isAttachment === true ? `${name}, attached file` : name
  return `${name}, ${unavailableLabel(citation)}`
}

/** What a source is that cannot be opened. Only its owner opens an attached file. */
export function unavailableLabel({ isAttachment }: Citation): string {
  return isAttachment === true ? 'attached file' : 'deleted'
}

const deletedText = 'This document was deleted.'
const privateText = 'Only the owner of the chat can open this file.'

/** Why a source cannot be opened. */
export function unavailableText({ isAttachment }: Citation): string {
  return isAttachment === true ? privateText : deletedText
}

/** Opens a source, one of the given sources of a reply. */
export type OpenCitation = (citation: Citation, citations: readonly Citation[]) => void

interface Citations {
  byNumber: ReadonlyMap<number, Citation>
  open: ((citation: Citation) => void) | undefined
}

/** Read by the citation marks, so that a late citation does not rerender its whole block. */
export const CitationsContext = createContext<Citations>({ byNumber: new Map(), open: undefined })
