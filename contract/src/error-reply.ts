import * as z from 'zod/mini'

/** An error as the server sends it. In a file of its own, so that clients need not load the table of error codes. */
export const errorReply = z.object({
  code: z.string(),
  message: z.optional(z.string()),
  /** One message per invalid field. */
  fields: z.optional(z.record(z.string(), z.string())),
  requestId: z.optional(z.string()),
})
export type ErrorReply = z.output<typeof errorReply>
