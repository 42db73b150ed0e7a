import { readFileSync } from 'node:fs'
import { isLongEnough, passphraseRule } from '../backup/passphrase.ts'
import type { Env } from '../env.ts'
import { type Given, Refused } from './command.ts'

/** From the file that was named, else from the environment; null for none. */
export function givenPassphrase({ texts }: Given, env: Env): string | null {
  const path = texts['passphrase-file']
  if (path === undefined) return env.BACKUP_PASSPHRASE ?? null
  let passphrase: string
  try {
    passphrase = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch {
    throw new Refused(`The file with the passphrase cannot be read: ${path}`)
  }
  if (!isLongEnough(passphrase)) throw new Refused(`The passphrase in ${path} ${passphraseRule}.`)
  return passphrase
}
