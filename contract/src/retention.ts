import * as z from 'zod/mini'
import { intParam } from './wire.ts'

const retentionRangeError = 'Enter 7 to 3650 days, or leave it empty'

/**
 * Days for which a chat is kept after its last message. In the global setting, null means forever; in a channel, it
 * means that the global setting applies.
 */
export const retentionDays = z.nullable(
  z
    .number(retentionRangeError)
    .check(z.int(retentionRangeError), z.gte(7, retentionRangeError), z.lte(3650, retentionRangeError)),
)

/** The preview stops counting here and sets `isCut`. */
export const previewMaximum = 100_000

/** How many chats the next clean-up would delete. */
export const retentionPreview = z.object({ chats: z.number(), isCut: z.boolean() })
export type RetentionPreview = z.output<typeof retentionPreview>

const previewDays = intParam(7, 3650)

/** Without `days`, the preview uses the current retention period. */
export const previewQuery = z.object({ days: z.optional(previewDays) })
