import { errors } from '@lyceum/contract/errors'
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

/** Shorter passwords are rejected for their length. */
const minListedLength = 8

async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((password) => password.length >= minListedLength))
}

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/** Whether the password is on the list of common ones, ignoring case. The list is loaded on first use. */
export async function isCommonPassword(password: string): Promise<boolean> {
  commonPasswords ??= loadCommonPasswords()
  return (await commonPasswords).has(password.toLowerCase())
}

interface UserIdentity {
  email: string
  name: string
}

function isPersonal(chosen: string, { email, name }: UserIdentity): boolean {
  return (
    [email.split('@', 1)[0], email, name, name.replaceAll(' ', '')].some(
      (part) => part?.toLowerCase() === chosen,
    ) || /^lyceum\d{0,4}$/.test(chosen)
  )
}

/** The best-known passwords are no better with a year or a few digits appended. */
function isTrivial(chosen: string): boolean {
  return /^(.)\1*$/su.test(chosen) || /^(password|passw0rd|qwerty|12345678)\d{0,4}$/.test(chosen)
}

/**
 * Rejects what attackers try first: common passwords, the user's own name and address, and the product's
 * name. `field` is the name of the form field.
 */
export async function checkPasswordChoice(
  password: string,
  user: UserIdentity,
  { minLength, field = 'password' }: { minLength: number; field?: 'password' | 'newPassword' },
): Promise<void> {
  if (password.length < minLength) {
    const message = `Password must be at least ${minLength} characters`
    throw new AppError('validation.failed', { message, fields: { [field]: message } })
  }
  const chosen = password.toLowerCase()
  if (isPersonal(chosen, user) || isTrivial(chosen) || (await isCommonPassword(chosen))) {
    const { message } = errors['auth.password_common']
    throw new AppError('auth.password_common', { fields: { [field]: message } })
  }
}
