import * as z from 'zod/mini'

/** An error as the server sends it. Kept apart from the table of codes, so that clients need not load that table. */
export const errorReply = z.object({
  code: z.string(),
  message: z.optional(z.string()),
  /** One message per invalid field. */
  fields: z.optional(z.record(z.string(), z.string())),
  requestId: z.optional(z.string()),
})
export type ErrorReply = z.output<typeof errorReply>
