import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { BreachedPasswords } from './port.ts'

const prefixLength = 5
/** A range of Have I Been Pwned has about 40 kB. */
const maxBytes = 1024 * 1024

async function readRange(url: string, timeoutMs: number): Promise<string> {
  const response = await fetch(url, {
    // Hides from observers of the encrypted connection how long the list for this prefix is.
    headers: { 'add-padding': 'true' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`)
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxBytes) throw new Error('the list is longer than allowed')
  }
  return text
}

/** Each line is the rest of a hash, a colon and a count. Padding has the count 0. */
function containsHash(range: string, rest: string): boolean {
  return range.split('\n').some((line) => {
    const [hash, count] = line.trim().split(':')
    return hash?.toUpperCase() === rest && Number(count) > 0
  })
}

/**
 * Asks a server that speaks the range protocol of Have I Been Pwned. It receives the first five characters of the
 * password's SHA-1 hash and returns all hashes that begin with them, so it does not learn which one was meant.
 */
export function createRangeLookup(
  address: string,
  log: Pick<Logger, 'warn'>,
  timeoutMs = 2_000,
): BreachedPasswords {
  return {
    async has(password) {
      const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
      try {
        const range = await readRange(`${address}/${hash.slice(0, prefixLength)}`, timeoutMs)
        return containsHash(range, hash.slice(prefixLength))
      } catch (error) {
        // The address may contain a key, and the prefix says something about the password: log neither.
        log.warn({ reason: (error as Error).message }, 'breached passwords could not be checked')
        return false
      }
    },
  }
}

/** Used unless `BREACHED_PASSWORDS_URL` is set. */
export const noBreachedPasswords: BreachedPasswords = { has: async () => false }
