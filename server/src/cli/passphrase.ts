import { readFileSync } from 'node:fs'
import { isLongEnough, passphraseRule } from '../backup/passphrase.ts'
import type { Env } from '../env.ts'
import { type Arguments, CommandError } from './command.ts'

/** Reads the passphrase from the given file, or else from the environment; null without one. */
export function readPassphrase({ options }: Arguments, env: Env): string | null {
  const path = options['passphrase-file']
  if (path === undefined) return env.BACKUP_PASSPHRASE ?? null
  let passphrase: string
  try {
    passphrase = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch {
    throw new CommandError(`The passphrase file ${path} cannot be read.`)
  }
  if (!isLongEnough(passphrase)) throw new CommandError(`The passphrase in ${path} ${passphraseRule}.`)
  return passphrase
}
