import type { Citation } from '@lyceum/contract/citations'

/** A citation as stored. Whether its document can still be opened is decided each time it is shown. */
export type StoredCitation = Omit<Citation, 'available' | 'isOutdated'>

/** Citations are stored as JSON, or as null if there are none. */
interface CitingRow {
  citations: string | null
}

export function parseCitations({ citations }: CitingRow): StoredCitation[] {
  return citations === null ? [] : (JSON.parse(citations) as StoredCitation[])
}

/** Without attachments. */
export function getCitedDocumentIds(row: CitingRow): string[] {
  return parseCitations(row).flatMap(({ documentId, isAttachment }) => (isAttachment ? [] : [documentId]))
}
