import * as z from 'zod/mini'
import { id } from './wire.ts'

export const citation = z.object({
  /** The number in the reply text: `[n]`. */
  n: z.number(),
  /** The id of the document, or of the attachment. */
  documentId: id,
  /** True when the source is a file attached to the chat and not a document. */
  isAttachment: z.optional(z.boolean()),
  /** The cited version; 1 when omitted. */
  version: z.optional(z.number()),
  title: z.string(),
  fileType: z.string(),
  page: z.nullable(z.number()),
  headingPath: z.array(z.string()),
  /** Offsets of the passage in the document's text, in UTF-16 code units. */
  charStart: z.number(),
  charEnd: z.number(),
  quote: z.string(),
  /** False when the document has been deleted. A file attached to the chat is available to the chat's owner only. */
  available: z.boolean(),
  /** True when replies now use a later version of the document. The citation still opens the cited version. */
  isOutdated: z.optional(z.boolean()),
})
export type Citation = z.output<typeof citation>
