import { hash, verify } from '@node-rs/argon2'
import { createTaskQueue } from '#lib/task-queue.ts'
import { createWaitingList } from '#lib/waiting-list.ts'
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
const runHash = createTaskQueue(
  2,
  createWaitingList({
    maxWaiting: 32,
    createRefusal: () => new AppError('auth.busy', { retryAfter: 2 }),
  }),
)

export function hashPassword(password: string): Promise<string> {
  return runHash(() => hash(password, parameters))
}

const { memoryCost, timeCost, parallelism } = parameters
const currentPrefix = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`

/** Whether the hash was made with other parameters than those that new hashes get. */
export function isOutdatedHash(stored: string): boolean {
  return !stored.startsWith(currentPrefix)
}

/** Without a user or a password it verifies against a dummy hash, so that all cases take the same time. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const expectedHash = stored || (await getDummyHash())
  const matches = await runHash(() => verify(expectedHash, password))
  return matches && expectedHash === stored
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
