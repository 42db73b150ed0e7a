import { hash, verify } from '@node-rs/argon2'
import { AppError } from '../../errors.ts'

// OWASP's parameters: 19 MiB, two passes, one lane. Running at most two hashes at once keeps a burst of sign-ins within
// 40 MiB and two cores.
const parameters = {
  // Argon2id; the package's enum cannot be imported without a build.
  algorithm: 2,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
  outputLen: 32,
}
const maxConcurrent = 2
const maxQueued = 32

let running = 0
const waiting: (() => void)[] = []

async function runQueued<R>(operation: () => Promise<R>): Promise<R> {
  if (running >= maxConcurrent) {
    if (waiting.length >= maxQueued) throw new AppError('auth.busy', { retryAfter: 2 })
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  running += 1
  try {
    return await operation()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

export function hashPassword(password: string): Promise<string> {
  return runQueued(() => hash(password, parameters))
}

const { memoryCost, timeCost, parallelism } = parameters
const currentPrefix = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`

/** Whether the hash was made with other parameters than those that new hashes get. */
export function isOutdatedHash(stored: string): boolean {
  return !stored.startsWith(currentPrefix)
}

/** Without a user it verifies against a dummy hash, so that both cases take the same time. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const expectedHash = stored ?? (await getDummyHash())
  const matches = await runQueued(() => verify(expectedHash, password))
  return matches && stored !== null
}

let dummyHash: Promise<string> | undefined
function getDummyHash(): Promise<string> {
  dummyHash ??= hash(crypto.randomUUID(), parameters)
  return dummyHash
}

/** Creates the dummy hash before the first sign-in, which would otherwise take twice as long. */
export async function warmUpPasswords(): Promise<void> {
  await getDummyHash()
}
