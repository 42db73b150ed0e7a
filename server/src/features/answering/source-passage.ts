import type { LocatedPassage } from '../documents/retrieval/retrieval.ts'

/** A passage that an answer can use and cite: from a document of the channel, or from a file attached to the chat. */
export interface SourcePassage
  extends Pick<
    LocatedPassage,
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
  > {
  /** `documentId` is then the id of the attachment. */
  isAttachment?: true
}

/** A passage with how well it matches the question, from 0 to 1. */
export interface MatchedPassage extends SourcePassage {
  match: number
}
