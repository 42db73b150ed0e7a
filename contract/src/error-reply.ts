import * as z from 'zod/mini'

/** An error on the wire. Apart from the table of codes, which a client need not carry to read one. */
export const errorReply = z.object({
  code: z.string(),
  message: z.optional(z.string()),
  /** One sentence for each field that is wrong. */
  fields: z.optional(z.record(z.string(), z.string())),
  requestId: z.optional(z.string()),
})
export type ErrorReply = z.output<typeof errorReply>
