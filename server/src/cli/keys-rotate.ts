import { describeFailure } from '../backup/describe-failure.ts'
import { RotationInterrupted, RotationRefused, type RotationResult, rotateKeys } from '../keys/rotate.ts'
import { type BaseDeps, secretsPath } from '../start.ts'
import { type Command, CommandError, requireNoPositionals } from './command.ts'
import { withDatabase } from './with-database.ts'

function describeRotation({ acceptedUntil, wasInterrupted, counts }: RotationResult): string {
  return [
    wasInterrupted ? 'The interrupted key rotation is finished.' : 'The keys were replaced.',
    acceptedUntil === null
      ? 'All users must sign in again.'
      : `Users stay signed in: their sessions are valid until ${new Date(acceptedUntil).toISOString()} at the latest.`,
    'One-time codes already sent no longer work, and every browser needs a code at its next sign-in.',
    ...(counts && counts.emails > 0 ? [`Waiting emails re-encrypted: ${counts.emails}.`] : []),
    ...(counts && counts.connections > 0 ? [`Stored connections re-encrypted: ${counts.connections}.`] : []),
    'A running server uses the new keys from now on. Backups made with --with-secrets contain the old keys: make a new one.',
  ].join('\n')
}

async function rotate(deps: BaseDeps, shouldEndSessions: boolean): Promise<RotationResult> {
  const path = secretsPath(deps.env)
  try {
    return await rotateKeys(deps, path, shouldEndSessions)
  } catch (error) {
    if (error instanceof RotationRefused || error instanceof RotationInterrupted)
      throw new CommandError(error.message)
    if (!('syscall' in (error as object))) throw error
    throw new CommandError(
      `Nothing was changed: the secrets file cannot be written. ${describeFailure(error)}`,
    )
  }
}

export const keysRotateCommand: Command = {
  name: 'keys rotate',
  synopsis: '[--now]',
  summary: 'replace the keys that sign sessions and encrypt waiting emails and connections',
  details: [
    'The server may be running; it uses the new keys from then on. Sessions signed with the old key work for a day.',
    'One-time codes already sent stop working, and trusted browsers need a code. Links keep working.',
    'If it is interrupted, run it again to finish.',
    '--now   stop accepting the old key, so that all users must sign in again. Use it if the key may have leaked',
  ],
  flags: ['now'],
  async run(args) {
    requireNoPositionals(args)
    console.log(describeRotation(await withDatabase((deps) => rotate(deps, args.flags.has('now')))))
    return 0
  },
}
