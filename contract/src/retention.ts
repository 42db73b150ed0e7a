import * as z from 'zod/mini'
import { count } from './wire.ts'

const retentionWords = 'From 7 to 3650 days, or nothing'

/** How long a chat is kept after its last message. Null is for ever, and in a channel what holds everywhere. */
export const retentionDays = z.nullable(
  z
    .number(retentionWords)
    .check(z.int(retentionWords), z.gte(7, retentionWords), z.lte(3650, retentionWords)),
)

/** Counted up to here: of more it is enough to know that they are many. */
export const previewMaximum = 100_000

/** How many chats the next run of the clean-up would delete. */
export const retentionPreview = z.object({ chats: z.number(), isCut: z.boolean() })
export type RetentionPreview = z.output<typeof retentionPreview>

const previewDays = count(7, 3650)

/** Without days it is asked of what holds now. */
export const previewQuery = z.object({ days: z.optional(previewDays) })
