import * as z from 'zod/mini'

export const feedbackReasons = [
  'incorrect',
  'not-in-sources',
  'incomplete',
  'off-topic',
  'unclear',
  'other',
] as const
export const feedbackCommentMaxLength = 1000

/** A user's rating of a reply. */
export const feedback = z.object({
  rating: z.enum(['good', 'bad']),
  /** Only for a bad rating. */
  reason: z.nullable(z.enum(feedbackReasons)),
  comment: z.string(),
})
export type Feedback = z.output<typeof feedback>
