import { type Embedding, embeddingInput } from '@lyceum/contract/embedding'
import * as z from 'zod/mini'

const { sites, allowsVisitors, visitorMessagesPerDay, channelVisitorMessagesPerDay } = embeddingInput.shape

/** Completes a host that was entered without a scheme. Leaves all else, so that errors name what was entered. */
function completeSite(entry: string): string {
  if (!/^[\p{L}\p{N}.-]+(?::\d+)?(?:\/\S*)?$/u.test(entry)) return entry
  // The user's own computer rarely has a certificate.
  const scheme = /^(?:localhost|127\.\d+\.\d+\.\d+)(?::|\/|$)/i.test(entry) ? 'http' : 'https'
  return `${scheme}://${entry}`
}

function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(completeSite)
}

/** A number that the server takes, as text. */
function numberEntry(accepted: z.ZodMiniType<number, number>, maximum: number) {
  const text = z.string().check(
    z.trim(),
    z.refine(
      (entry) => /^\d+$/.test(entry) && accepted.safeParse(Number(entry)).success,
      `Enter a whole number from 1 to ${maximum.toLocaleString('en')}`,
    ),
  )
  return z.pipe(text, z.transform(Number))
}

/** Validates the form. The server checks each site, and names those that it refuses. */
export const embeddingForm = z.object({
  sites: z.pipe(z.pipe(z.string(), z.transform(splitLines)), sites),
  allowsVisitors,
  visitorMessagesPerDay: numberEntry(visitorMessagesPerDay, 1000),
  channelVisitorMessagesPerDay: numberEntry(channelVisitorMessagesPerDay, 100_000),
})

export type EmbeddingEntries = z.input<typeof embeddingForm>

export function toEntries(embedding: Embedding): EmbeddingEntries {
  return {
    sites: embedding.sites.join('\n'),
    allowsVisitors: embedding.allowsVisitors,
    visitorMessagesPerDay: String(embedding.visitorMessagesPerDay),
    channelVisitorMessagesPerDay: String(embedding.channelVisitorMessagesPerDay),
  }
}
