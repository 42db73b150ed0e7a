import { errors } from '@lyceum/contract/errors'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'

interface UserIdentity {
  email: string
  name: string
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

/** The product, its roles, and what attackers try first with a year or a few digits. */
const knownWords = ['lyceum', 'admin', 'administrator', 'password', 'qwerty', 'welcome']

function splitWords(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? []
}

/** Words that are easy to guess for this user here: docs/security.md, "Passwords". */
function listContextWords(publicUrl: string, { email, name }: UserIdentity): string[] {
  const words = [...knownWords, ...splitWords(new URL(publicUrl).hostname), ...splitWords(`${email} ${name}`)]
  // Long words first, or a short one could break a long one apart.
  return [...new Set(words)].sort((a, b) => b.length - a.length)
}

/** Whether the letters of the password are nothing but context words, whatever digits and signs are between them. */
function hasOnlyContextWords(chosen: string, words: readonly string[]): boolean {
  const rest = words.reduce((text, word) => text.replaceAll(word, ' '), chosen)
  return /\p{L}/u.test(chosen) && !/\p{L}/u.test(rest)
}

function isTrivial(chosen: string): boolean {
  return /^(.)\1*$/su.test(chosen) || /^(passw0rd|12345678)\d{0,4}$/.test(chosen)
}

async function isEasyToGuess(password: string, publicUrl: string, user: UserIdentity): Promise<boolean> {
  const chosen = password.toLowerCase()
  return (
    isTrivial(chosen) ||
    chosen === user.email.split('@', 1)[0]?.toLowerCase() ||
    hasOnlyContextWords(chosen, listContextWords(publicUrl, user)) ||
    (await isCommonPassword(chosen))
  )
}

type PasswordField = 'password' | 'newPassword'

function createPasswordError(code: 'auth.password_common' | 'auth.password_breached', field: PasswordField) {
  return new AppError(code, { fields: { [field]: errors[code].message } })
}

/** Rejects passwords that attackers try first. `field` is the name of the form field. */
export async function checkPasswordChoice(
  { env, breachedPasswords }: Pick<Deps, 'env' | 'breachedPasswords'>,
  password: string,
  user: UserIdentity,
  field: PasswordField = 'password',
): Promise<void> {
  if (password.length < env.PASSWORD_MIN_LENGTH) {
    const message = `Password must be at least ${env.PASSWORD_MIN_LENGTH} characters`
    throw new AppError('validation.failed', { message, fields: { [field]: message } })
  }
  if (await isEasyToGuess(password, env.PUBLIC_URL, user))
    throw createPasswordError('auth.password_common', field)
  if (await breachedPasswords.has(password)) throw createPasswordError('auth.password_breached', field)
}
