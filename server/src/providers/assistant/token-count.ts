/** More than any model reads or writes at a time. A sum of them fits the columns it is added to. */
const maxTokens = 100_000_000

/** A number of tokens as a provider reported it; undefined if it cannot be right. */
export function readTokenCount(reported: number | null | undefined): number | undefined {
  if (reported == null || !Number.isInteger(reported) || reported < 0 || reported > maxTokens)
    return undefined
  return reported
}
