import type { FoundPassage } from '../documents/retrieval/retrieval.ts'

/** A passage that an answer can use and cite: from a document of the channel, or from a file attached to the chat. */
export interface SourcePassage
  extends Pick<
    FoundPassage,
    | 'documentId'
    | 'version'
    | 'title'
    | 'fileType'
    | 'page'
    | 'pageBreaks'
    | 'headingPath'
    | 'charStart'
    | 'charEnd'
    | 'text'
    | 'match'
  > {
  /** `documentId` is then the id of the attachment. */
  isAttachment?: true
}
